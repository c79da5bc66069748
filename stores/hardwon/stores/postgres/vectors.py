"""PostgresVectors: embeddings as rows, and what the index of vectors has of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.stores.postgres import indexing
from hardwon.stores.sql.vectors import SqlVectors

if TYPE_CHECKING:
    from hardwon.stores.postgres.database import PostgresDatabase


class PostgresVectors(SqlVectors):
    """Keeps embeddings, by which memories are found as soon as they are kept."""

    def __init__(self, database: PostgresDatabase) -> None:
        super().__init__(database)
        self._postgres = database
        self._numbers: dict[str, int] = {}

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors, all or none, whatever becomes of an operation around."""
        super().keep(space, vectors)
        number = self.number(space)
        if vectors and number is not None:
            with self._postgres.operation(f"Keep {len(vectors)} vectors"):
                indexing.add_vectors(self._postgres, number, vectors)

    def number(self, space: str) -> int | None:
        """Return the number of a space, which it keeps for ever; None where nothing is kept of it."""
        known = self._numbers.get(space) or self._number(space)
        if known is not None:
            self._numbers[space] = known
        return known
