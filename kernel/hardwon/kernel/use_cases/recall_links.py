"""What recall follows from one memory to others: heads of superseded ones, rules of lessons, lessons of rules.

No pydantic and no store: the hook program follows them too, in an index that it reads by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from hardwon.kernel.use_cases.circles import Circles

SUPERSEDES, GENERALIZES, CONTRADICTS = "supersedes", "generalizes", "contradicts"


class Entry(Protocol):
    """What recall needs to know of a memory."""

    @property
    def id(self) -> str:
        """Return its id."""
        ...

    @property
    def kind(self) -> str:
        """Return its kind."""
        ...

    @property
    def content(self) -> str:
        """Return what a person reads."""
        ...

    @property
    def applies_when(self) -> Mapping[str, Sequence[str]]:
        """Return what narrows its scope, by languages, frameworks, roles and tags."""
        ...


E = TypeVar("E", bound=Entry)
E_co = TypeVar("E_co", bound=Entry, covariant=True)


class Shelf(Protocol[E_co]):
    """Memories as one reader sees them."""

    def get(self, ids: Sequence[str]) -> Mapping[str, E_co]:
        """Return those that exist, by id."""
        ...

    def visible(self, ids: Sequence[str]) -> Sequence[E_co]:
        """Return those that the reader sees, oldest id first."""
        ...

    def standing(self, ids: Sequence[str]) -> Mapping[str, E_co]:
        """Return those that stand and hold now, by id, of whatever project, kind and topic."""
        ...

    def has_begun(self, ids: Sequence[str]) -> bool:
        """Tell whether one of these would be visible if nothing ever ended."""
        ...

    def edges(self, id: str) -> Sequence[tuple[str, str, str]]:
        """Return the edges that touch a memory and are believed: source, kind, target."""
        ...


class Links(Generic[E]):
    """Edges as one reader sees them."""

    def __init__(self, shelf: Shelf[E]) -> None:
        self._shelf = shelf
        self._read: dict[str, Sequence[tuple[str, str, str]]] = {}
        self._circles = Circles(self._superseding)

    def head_of(self, id: str) -> E | None:
        """Return the newest memory that supersedes this one, step by step; None where none does or none is visible."""
        head: E | None = None
        for newer in self._steps_up(id):
            # One that is not visible here and now may itself be superseded by one that is.
            head = next(reversed(self._shelf.visible(newer)), head)
        return head

    def is_over(self, id: str) -> bool:
        """Tell whether one that superseded this one has begun: that it ended since does not bring this one back."""
        return any(self._shelf.has_begun(newer) for newer in self._steps_up(id))

    def _steps_up(self, id: str) -> Iterator[list[str]]:
        """Walk what superseded a memory, then what superseded that, and so on; a circle ends at its youngest."""
        seen, level = {id}, [id]
        while level := [end for each in level for end in self._circles.superseders(each) if end not in seen]:
            seen.update(level)
            yield level

    def _superseding(self, id: str) -> list[str]:
        return self._sources(id, SUPERSEDES)

    def rules_of(self, lesson: str) -> list[str]:
        """Return the ids of the rules that generalize a lesson."""
        return self._sources(lesson, GENERALIZES)

    def lessons_of(self, rule: str) -> list[str]:
        """Return the ids of the lessons that a rule generalizes, of whatever project."""
        return [target for source, kind, target in self._edges(rule) if kind == GENERALIZES and source == rule]

    def against(self, id: str) -> list[str]:
        """Return the ids of what speaks against a memory, or it against them: exceptions of a rule, the other side."""
        edges = [(source, target) for source, kind, target in self._edges(id) if kind == CONTRADICTS]
        return [target if source == id else source for source, target in edges]

    def _sources(self, id: str, wanted: str) -> list[str]:
        return [source for source, kind, target in self._edges(id) if kind == wanted and target == id]

    def _edges(self, id: str) -> Sequence[tuple[str, str, str]]:
        if id not in self._read:
            self._read[id] = self._shelf.edges(id)
        return self._read[id]
