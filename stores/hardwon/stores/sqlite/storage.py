"""SqliteStorage: the port Storage of one home, kept in one SQLite file."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.records import Measurement, Problem
from hardwon.stores.search.dense import open_dense
from hardwon.stores.sql.storage import SqlStorage
from hardwon.stores.sql.vectors import SqlVectors
from hardwon.stores.sqlite.copying import copy
from hardwon.stores.sqlite.creating import BEFORE, bring_up_to_date, format_of
from hardwon.stores.sqlite.database import SqliteDatabase
from hardwon.stores.sqlite.file_name import FILE_NAME
from hardwon.stores.sqlite.made import note_made, refuse_lost
from hardwon.stores.sqlite.place import ENDINGS, find_place
from hardwon.stores.sqlite.reindexing import rebuild
from hardwon.stores.sqlite.salvaging import DAMAGED, LOST, salvage
from hardwon.stores.sqlite.searching import SqliteSearching
from hardwon.stores.sqlite.verifying import is_damaged, verify

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


class SqliteStorage(SqlStorage):
    """Five doors to one file."""

    def __init__(self, home: Home) -> None:
        path = home.path / FILE_NAME
        if format_of(path) is None:  # a newer one is refused before anything is touched
            refuse_lost(path)
        place = find_place(path)
        bring_up_to_date(path, place)
        note_made(path)
        self._sqlite = SqliteDatabase(path, place, home.clock)
        self._searching = SqliteSearching(self._sqlite, open_dense(home, SqlVectors(self._sqlite)))
        self._clock = home.clock
        super().__init__(self._sqlite, self._searching, home.clock)

    @property
    def path(self) -> Path:
        """Return the file."""
        return self._sqlite.path

    def snapshot(self) -> AbstractContextManager[None]:
        """Let this thread read one state of everything inside, while others write."""
        return self._sqlite.snapshot()

    def backup(self, to: Path) -> None:
        """Write the file as of one moment into an empty folder, as it lies in a home. Raises StoreError."""
        copy(self.path, to / FILE_NAME)

    def verify(self) -> list[Problem]:
        """Return what is damaged in the file, and what does not follow from the memories; takes seconds."""
        return verify(self._sqlite)

    def reindex(self, *, follow_deletions: bool = False) -> None:
        """Build everything derived anew; of a damaged file keep what can be read, and set the file aside.

        There are no files that could have been deleted. Raises StoreBusy, StoreError.
        """
        if is_damaged(self._sqlite):
            self._sqlite.close()
            salvage(self.path, self._clock)
        else:
            rebuild(self._sqlite)

    def problems(self) -> list[Problem]:
        """Return what is not as it should be about the file and how it is opened."""
        return [*self._opened_otherwise(), *self._set_aside()]

    def _opened_otherwise(self) -> list[Problem]:
        place, where = self._sqlite.place, str(self.path)
        if not place.is_writable:
            what = "It can only be read here; permit writing it and its folder, and make room on its disk."
            return [Problem(where=where, what=what)]
        if place.journal != "wal":
            what = (
                f"Its file system cannot do write-ahead logging; it is kept by the journal mode {place.journal}, in"
                " which readers wait for writers: move the home to a local disk if that is too slow."
            )
            return [Problem(where=where, what=what)]
        return []

    def copies(self) -> list[Path]:
        """Return what was copied before an upgrade or set aside as damaged, by name."""
        found = [
            *self.path.parent.glob(f"{self.path.name}{BEFORE}*"),
            *self.path.parent.glob(f"{self.path.name}{DAMAGED}*"),
        ]
        return sorted(found)

    def _set_aside(self) -> list[Problem]:
        """Return a problem for each damaged file that stands beside this one."""
        found = self.path.parent.glob(f"{self.path.name}{DAMAGED}*")
        damaged = sorted(str(each) for each in found if not each.name.endswith(ENDINGS[1:]))
        if not damaged:
            return []
        ((lost,),) = self._sqlite.rows("SELECT value FROM meta WHERE key = ?", (LOST,)) or [("0",)]
        what = (
            f"It was damaged; {lost} memories of it could not be read, the others are in the memory now: restore a"
            " backup if something is missing, then remove it."
        )
        return [Problem(where=each, what=what) for each in damaged]

    def arrange_vectors(self) -> None:
        """Put in place whatever has a vector; may take minutes. Raises Unavailable, StoreError."""
        self._searching.arrange_vectors()

    def measure_vectors(self) -> Measurement:
        """Return how well vectors near a question are found. Raises Unavailable, StoreError."""
        return self._searching.measure_vectors()

    def close(self) -> None:
        """Close everything; closing twice is harmless."""
        self._searching.settle_owed()
        self._sqlite.close()


def open_sqlite(home: Home) -> SqliteStorage:
    """Open the SQLite store of a home. Raises StoreError, NewerFormat."""
    return SqliteStorage(home)
