"""SqliteStorage: the port Storage of one home, kept in one SQLite file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.records import Measurement, Problem
from hardwon.stores.search.dense import open_dense
from hardwon.stores.sql.storage import SqlStorage
from hardwon.stores.sql.vectors import SqlVectors
from hardwon.stores.sqlite.creating import bring_up_to_date, format_of
from hardwon.stores.sqlite.database import SqliteDatabase
from hardwon.stores.sqlite.file_name import FILE_NAME
from hardwon.stores.sqlite.place import find_place
from hardwon.stores.sqlite.searching import SqliteSearching

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


class SqliteStorage(SqlStorage):
    """Five doors to one file."""

    def __init__(self, home: Home) -> None:
        path = home.path / FILE_NAME
        format_of(path)
        place = find_place(path)
        bring_up_to_date(path, place)
        self._sqlite = SqliteDatabase(path, place, home.clock)
        self._searching = SqliteSearching(self._sqlite, open_dense(home, SqlVectors(self._sqlite)))
        super().__init__(self._sqlite, self._searching, home.clock)

    @property
    def path(self) -> Path:
        """Return the file."""
        return self._sqlite.path

    def problems(self) -> list[Problem]:
        """Return what is not as it should be about how the file is opened."""
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

    def arrange_vectors(self) -> None:
        """Put in place whatever has a vector; may take minutes. Raises Unavailable, StoreError."""
        self._searching.arrange_vectors()

    def measure_vectors(self) -> Measurement:
        """Return how well vectors near a question are found. Raises Unavailable, StoreError."""
        return self._searching.measure_vectors()

    def close(self) -> None:
        """Close everything; closing twice is harmless."""
        self._sqlite.close()


def open_sqlite(home: Home) -> SqliteStorage:
    """Open the SQLite store of a home. Raises StoreError, NewerFormat."""
    return SqliteStorage(home)
