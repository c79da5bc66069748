"""SqlVectors: embeddings as rows, by the number of their space and the fingerprint of their text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.stores.sql.packing import packed, unpacked

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database, Row

_PAGE = 500


class SqlVectors:
    """Keeps embeddings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def fetch(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors that exist, by key."""
        number = self._number(space)
        if number is None or not keys:
            return {}
        clause, values = self._database.among("key", list(keys))
        sql = f"SELECT key, vector FROM vectors WHERE space = ? AND {clause}"  # noqa: S608
        return dict(_vectors(self._database.rows(sql, [number, *values])))

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors, all or none, whatever becomes of an operation around."""
        if not vectors:
            return
        number = self._number(space)
        if number is None:
            self._database.run_apart("INSERT INTO spaces (name) VALUES (?) ON CONFLICT (name) DO NOTHING", [(space,)])
            number = self._number(space)
        self._database.run_apart(
            "INSERT INTO vectors (space, key, vector) VALUES (?, ?, ?) "
            "ON CONFLICT (space, key) DO UPDATE SET vector = excluded.vector",
            [(number, key, vector) for key, vector in zip(vectors, packed(list(vectors.values())), strict=True)],
        )

    def spaces(self) -> list[str]:
        """Return the names of the spaces that something is kept of, sorted."""
        sql = "SELECT name FROM spaces WHERE EXISTS (SELECT 1 FROM vectors WHERE space = spaces.number) ORDER BY name"
        return [str(name) for (name,) in self._database.rows(sql)]

    def walk(self, space: str) -> Iterator[tuple[str, bytes]]:
        """Walk everything that is kept of a space, by key."""
        number = self._number(space)
        last = ""
        sql = "SELECT key, vector FROM vectors WHERE space = ? AND key > ? ORDER BY key LIMIT ?"
        while number is not None:
            rows = self._database.rows(sql, (number, last, _PAGE))
            yield from _vectors(rows)
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    def _number(self, space: str) -> int | None:
        rows = self._database.rows("SELECT number FROM spaces WHERE name = ?", (space,))
        return int(rows[0][0]) if rows else None


def _vectors(rows: Sequence[Row]) -> Iterator[tuple[str, bytes]]:
    return zip((key for key, _ in rows), unpacked([bytes(kept) for _, kept in rows]), strict=True)
