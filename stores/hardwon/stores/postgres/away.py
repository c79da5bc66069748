"""What the Postgres store says while its server is away: what the home's copy has, and that it may be old.

Only reading goes on; whatever is to be kept is refused, since nothing may be acknowledged that the server has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from hardwon.kernel.candidate import Found
from hardwon.kernel.errors import StoreError
from hardwon.kernel.records import Problem
from hardwon.stores.postgres.replica_name import FILE_NAME, REFRESHED_KEY
from hardwon.stores.sql.journal import SqlJournal
from hardwon.stores.sql.memories import SqlMemories
from hardwon.stores.sql.proposals import SqlProposals
from hardwon.stores.sql.storage import SqlStorage
from hardwon.stores.sqlite.database import SqliteDatabase
from hardwon.stores.sqlite.place import readable
from hardwon.stores.sqlite.searching import SqliteSearching

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.journal import Block, Known
    from hardwon.kernel.ports import Clock
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.query import Query
    from hardwon.kernel.version import Version


class AwayDatabase(SqliteDatabase):
    """The copy, to which nothing is written."""

    def __init__(self, path: Path, clock: Clock, why: StoreError) -> None:
        super().__init__(path, readable(path), clock)
        self.why = why

    @contextmanager
    def operation(self, why: str, patience: float | None = None) -> Iterator[None]:
        """Refuse. Raises StoreError."""
        self._refuse()
        yield

    def run_apart(self, sql: str, rows: Iterable[Sequence[Any]], patience: float | None = None) -> int:
        """Refuse. Raises StoreError."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise StoreError(f"{self.why} Nothing can be kept until then.")


class AwaySearching(SqliteSearching):
    """Searches the copy by words, and says how old it is."""

    def __init__(self, database: AwayDatabase, said: str) -> None:
        super().__init__(database, None)
        self._said = said

    def search(self, query: Query) -> Found:
        """Return the candidates, and that they are of the copy."""
        found = super().search(query)
        return Found(found.candidates, [*found.notes, self._said])


class AwayMemories(SqlMemories):
    """The memories of the copy, which has no former states: no words of now are shown as those of then."""

    def __init__(self, database: AwayDatabase, searching: AwaySearching, clock: Clock) -> None:
        super().__init__(database, searching, clock)
        self._why = database.why

    def versions(self, ids: Sequence[str] | None = None, *, after: datetime | None = None) -> list[Version]:
        """Refuse. Raises StoreError."""
        raise StoreError(f"{self._why} What memories said before is on the server alone.")


class AwayJournal(SqlJournal):
    """The journal, of which the copy has nothing."""

    def __init__(self, database: AwayDatabase) -> None:
        super().__init__(database)
        self._why = database.why

    def of_session(self, session: str, harness: str | None = None) -> list[Block]:
        """Refuse. Raises StoreError."""
        self._refuse()

    def blocks(self) -> Iterator[Known]:
        """Refuse. Raises StoreError."""
        self._refuse()

    def search(self, text: str, limit: int = 8, projects: Sequence[str | None] | None = None) -> list[Block]:
        """Refuse. Raises StoreError."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise StoreError(f"{self._why} What was said in sessions is on the server alone.")


class AwayProposals(SqlProposals):
    """The proposals, of which the copy has none: a queue that cannot be seen is not an empty one."""

    def __init__(self, database: AwayDatabase, clock: Clock) -> None:
        super().__init__(database, clock)
        self._why = database.why

    def ids(self) -> list[str]:
        """Refuse. Raises StoreError."""
        self._refuse()

    def read(self, ids: Sequence[str] | None = None) -> dict[str, tuple[Proposal, str]]:
        """Refuse. Raises StoreError."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise StoreError(f"{self._why} What is proposed to you is on the server alone.")


class AwayStorage(SqlStorage):
    """The doors of the copy."""

    def __init__(self, home: Home, why: StoreError) -> None:
        """Open the copy of a home whose server is away. Raises StoreError where there is none."""
        path = home.path / FILE_NAME
        if not path.is_file():
            raise why
        self._why = why
        self._away = AwayDatabase(path, home.clock, why)
        self._said = f"{why} {_of_when(self._away, home.clock)}"
        searching = AwaySearching(self._away, self._said)
        super().__init__(self._away, searching, home.clock)
        self._memories = AwayMemories(self._away, searching, home.clock)
        self._journal = AwayJournal(self._away)
        self._proposals = AwayProposals(self._away, home.clock)

    def problems(self) -> list[Problem]:
        """Return that the server is away."""
        return [Problem(where=str(self._away.path), what=self._said)]

    def reindex(self, *, follow_deletions: bool = False) -> None:
        """Refuse. Raises StoreError."""
        raise StoreError(f"{self._why} Nothing can be built anew until then.")

    def close(self) -> None:
        """Close the copy; closing twice is harmless."""
        self._away.close()


def _of_when(copy: SqliteDatabase, clock: Clock) -> str:
    rows = copy.rows("SELECT value FROM meta WHERE key = ?", [REFRESHED_KEY])
    if not rows:
        return "This home's copy of it is not complete yet."
    minutes = max(0, int((clock.now().timestamp() - float(rows[0][0])) // 60))
    age = f"{minutes} min" if minutes < 120 else f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} days"
    when = datetime.fromtimestamp(float(rows[0][0]), UTC).isoformat(" ", "seconds")
    return f"This is this home's copy of {when}, {age} old, searched by words alone."
