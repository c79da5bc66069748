"""The sorts of columns and indexes that the tables have, in the words of both databases."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Index, Integer, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects import postgresql

BIG = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes only an INTEGER PRIMARY KEY the row's own number."""


def number(**fields: bool) -> Column[int]:
    """Return a column of numbers that this program gives."""
    return Column(BIG, nullable=False, autoincrement=False, **fields)  # type: ignore[arg-type]


TEXT = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
"""Sorted by its characters' numbers in both, whatever language a server speaks."""


def text(*, null: bool = False, key: bool = False, unique: bool = False) -> Column[str]:
    """Return a column of texts of any length."""
    return Column(TEXT, nullable=null, primary_key=key, unique=unique or None)


def end() -> Column[str]:
    """Return a column that names a memory which exists; SQLite checks that when it is asked to."""
    return Column(TEXT, ForeignKey("memories.id"), nullable=False)


def real(*, null: bool = False) -> Column[float]:
    """Return a column of 64-bit numbers."""
    return Column(Double, nullable=null)


def index_of_some(name: str, column: str, *, where: str) -> Index:
    """Return an index of those rows alone that a condition names, as statements have to name it too."""
    return Index(name, column, sqlite_where=sql(where), postgresql_where=sql(where))
