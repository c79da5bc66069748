"""What an import has to look up and is too much to hold: kept in a database of its own that nobody else sees.

SQLite keeps it in memory while it is small, in a file without a name when it grows, and removes it at the end.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from hardwon.kernel.batches import batches

_AT_ONCE = 500


class Scratch:
    """Under which ids this home knows an archive's memories, and which lines of activity it has."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("CREATE TABLE names (there TEXT PRIMARY KEY, here TEXT) WITHOUT ROWID")
        self._database.execute("CREATE TABLE lines (hash BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID")

    def name(self, names: Mapping[str, str | None]) -> None:
        """Learn under which id a memory of the archive is known here; None: it was forgotten here and is left out."""
        self._database.executemany("INSERT OR REPLACE INTO names VALUES (?, ?)", names.items())

    def names(self, ids: Iterable[str]) -> dict[str, str | None]:
        """Return those of the ids that are not the same here."""
        found: dict[str, str | None] = {}
        for some in batches(dict.fromkeys(ids), _AT_ONCE):
            marks = ",".join("?" * len(some))
            found |= self._database.execute(f"SELECT there, here FROM names WHERE there IN ({marks})", some)  # noqa: S608
        return found

    def count_lines(self, lines: Iterable[str]) -> None:
        """Count lines that are here."""
        add = "INSERT INTO lines VALUES (?, 1) ON CONFLICT (hash) DO UPDATE SET number = number + 1"
        self._database.executemany(add, ((_hash(line),) for line in lines))

    def take_line(self, line: str) -> bool:
        """Tell whether a line is here, once for each time that it is."""
        take = "UPDATE lines SET number = number - 1 WHERE hash = ? AND number > 0"
        return self._database.execute(take, (_hash(line),)).rowcount > 0

    def close(self) -> None:
        """Let go of it."""
        self._database.close()


def _hash(line: str) -> bytes:
    return hashlib.blake2b(line.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Balance:
    """What of two heaps of lines is only in the one, and what only in the other, however many there are."""

    def __enter__(self) -> Balance:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("CREATE TABLE lines (line TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID")
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def add(self, lines: Iterable[str], number: int) -> None:
        """Count each line `number` times: 1 for the one heap, -1 for the other."""
        add = "INSERT INTO lines VALUES (?1, ?2) ON CONFLICT (line) DO UPDATE SET number = number + ?2"
        self._database.executemany(add, ((line, number) for line in lines))

    def above(self) -> Iterator[str]:
        """Walk the lines that are in the first heap more often, in their own order."""
        return self._walk("number > 0")

    def below(self) -> Iterator[str]:
        """Walk the lines that are in the second heap more often."""
        return self._walk("number < 0")

    def takes(self, line: str) -> bool:
        """Take a line from the second heap; tell whether it was there more often than in the first."""
        take = "UPDATE lines SET number = number + 1 WHERE line = ? AND number < 0"
        return self._database.execute(take, (line,)).rowcount > 0

    def _walk(self, condition: str) -> Iterator[str]:
        rows = self._database.execute(f"SELECT line FROM lines WHERE {condition} ORDER BY line")  # noqa: S608
        return (line for (line,) in rows)
