"""Searching: what a database derives from the rows of `memories` to search them, told of each change by the doors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Found
    from hardwon.kernel.query import Query


@dataclass(frozen=True, slots=True)
class Indexed:
    """What of a row of `memories` search is derived from."""

    number: int
    length: int
    """How many terms, repeats counted."""
    terms: str
    """With blanks between."""


class Searching(Protocol):
    """The search side of one database; each method but `search` is called inside an operation."""

    def add(self, rows: Sequence[Indexed]) -> None:
        """Take in rows that were just written, whose numbers are not known yet."""
        ...

    def remove(self, rows: Sequence[Indexed]) -> None:
        """Take out rows as they were, before they are changed or deleted."""
        ...

    def settle(self) -> None:
        """Take note of what changed, when the memories and edges of a call are all written."""
        ...

    def search(self, query: Query) -> Found:
        """Return every candidate worth ranking, unranked, within the query's deadline."""
        ...
