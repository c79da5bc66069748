"""What changed among the documents since somebody looked last: who follows them reads only what is new.

Read from `search_documents` (number, vector_keys, changed) and `search_removals` (number, changed), tables of search or
views of a store; a later change has a higher number. `search_birth` names the tables themselves: made anew, they give
the numbers of documents anew.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

BIRTH = "CREATE TABLE IF NOT EXISTS search_birth(name TEXT NOT NULL)"
_LAST = (
    "SELECT max(ifnull((SELECT max(changed) FROM search_documents), 0), "
    "ifnull((SELECT max(changed) FROM search_removals), 0))"
)


@dataclass(frozen=True, slots=True)
class State:
    """Where the documents of one database stand."""

    birth: str
    """The name of these tables; of others, no number means anything."""
    last: int
    """The number of the last change."""
    documents: int
    """How many there are."""


def create_birth(connection: sqlite3.Connection) -> None:
    """Name the tables, where they have no name."""
    import secrets  # which the hook program has no time for

    connection.execute(BIRTH)
    name = secrets.token_hex(8)
    connection.execute("INSERT INTO search_birth SELECT ? WHERE NOT EXISTS (SELECT 1 FROM search_birth)", (name,))


class DocumentChanges:
    """The changes of the documents that one connection sees."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._only_reads = False
        """Whether the transaction is one of `at_once`."""
        self._known: tuple[tuple[int, int], State] | None = None
        """Where the documents stood, and what told whether anything was written by then."""

    @property
    def is_settled(self) -> bool:
        """Tell whether what is seen will stay true: inside a transaction, it may be taken back."""
        return not self._connection.in_transaction

    def state(self) -> State:
        """Return where the documents stand."""
        if not self._only_reads:
            return self._read()
        # The one tells that others committed (https://sqlite.org/pragma.html#pragma_data_version), the other that this
        # connection wrote.
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        written = version, self._connection.total_changes
        if self._known is None or self._known[0] != written:
            self._known = written, self._read()
        return self._known[1]

    def _read(self) -> State:
        """Read where the documents stand: two look-ups in an index, however many there are."""
        (birth,) = self._connection.execute("SELECT name FROM search_birth").fetchone()
        (last,) = self._connection.execute(_LAST).fetchone()
        (documents,) = self._connection.execute("SELECT documents FROM search_totals").fetchone()
        return State(birth, last, documents)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Let everything that is read inside be of one state, whoever writes meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        self._connection.execute("BEGIN")
        self._only_reads = True
        try:
            yield
        finally:
            self._only_reads = False
            if self._connection.in_transaction:  # after an error of the disk SQLite has ended it
                self._connection.execute("COMMIT")

    def removed(self, since: int) -> Iterator[int]:
        """Walk the numbers that were removed after a change; one of them may have been given again."""
        sql = "SELECT number FROM search_removals WHERE changed > ?"
        yield from (number for (number,) in self._connection.execute(sql, (since,)))

    def written(self, since: int) -> Iterator[tuple[int, str]]:
        """Walk the documents that were written after a change: the number, and the keys of its vectors."""
        rows = "SELECT number, vector_keys FROM search_documents"
        if since < 0:  # all of them: in the order in which they lie
            yield from self._connection.execute(rows)
        else:
            yield from self._connection.execute(f"{rows} WHERE changed > ?", (since,))
