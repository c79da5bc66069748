"""The statements that make the tables in one kind of database, from their SQLModel classes."""

from __future__ import annotations

import functools
from typing import Literal


@functools.cache
def statements(kind: Literal["sqlite", "postgresql"]) -> tuple[str, ...]:
    """Return what makes every table and index, each after what it refers to. Imports sqlalchemy: half a second."""
    from sqlalchemy.dialects import postgresql, sqlite
    from sqlalchemy.schema import CreateIndex, CreateTable

    from hardwon.stores.sql.tables import Table

    dialect = sqlite.dialect() if kind == "sqlite" else postgresql.dialect()  # type: ignore[no-untyped-call]
    made: list[str] = []
    for table in Table.metadata.sorted_tables:
        made.append(str(CreateTable(table).compile(dialect=dialect)).strip())
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        made += [str(CreateIndex(index).compile(dialect=dialect)) for index in indexes]
    return tuple(made)
