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

    _database: PostgresDatabase

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors, all or none, whatever becomes of an operation around."""
        super().keep(space, vectors)
        number = self._number(space)
        if vectors and number is not None:
            with self._database.operation(f"Keep {len(vectors)} vectors"):
                indexing.add_vectors(self._database, number, vectors)
