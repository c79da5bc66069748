"""Searching: what a database derives from the rows of `memories` to search them, told of each change by the doors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Found
    from hardwon.kernel.query import Query

Posted = tuple[int, int, str]
"""A memory's number, its length in terms, and its terms with blanks between."""


class Searching(Protocol):
    """The search side of one database; each method but `search` is called inside an operation."""

    def add(self, posted: Sequence[Posted]) -> None:
        """Take in rows that were just written and are not known yet."""
        ...

    def remove(self, ids: Sequence[str]) -> None:
        """Take out memories while their rows still say what is known of them."""
        ...

    def settle(self) -> None:
        """Take note of what changed, when the memories and edges of a call are all written."""
        ...

    def search(self, query: Query) -> Found:
        """Return every candidate worth ranking, unranked, within the query's deadline."""
        ...
