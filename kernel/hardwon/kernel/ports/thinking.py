"""What makes rules of lessons: embedders, language models, generalizers, and the queue they fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from pydantic import BaseModel

    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision, Proposal
    from hardwon.kernel.records import Problem

Role = Literal["query", "passage"]


class Embedder(Protocol):
    """Turns texts into vectors of one space."""

    @property
    def name(self) -> str:
        """Return the name of the vector space, with the model's version."""
        ...

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return one vector of unit length a text. Raises Unavailable."""
        ...


class LanguageModel(Protocol):
    """Completes a prompt into a value of a schema."""

    @property
    def name(self) -> str:
        """Return the provider's name of the model."""
        ...

    def complete(self, prompt: str, schema: type[BaseModel]) -> tuple[BaseModel, float]:
        """Return the validated value and what it cost in US dollars. Raises Unavailable."""
        ...


class Generalizer(Protocol):
    """Finds what lessons of several projects have in common."""

    def propose(
        self,
        lessons: Sequence[MemoryEntry],
        rules: Sequence[MemoryEntry],
        proposals: Sequence[Proposal],
        decisions: Sequence[Decision],
    ) -> list[Proposal]:
        """Return the proposals that should stand now, best first; known ones under their known ids."""
        ...


class ReviewQueue(Protocol):
    """Holds proposals until a person decides."""

    def add(self, proposals: Sequence[Proposal]) -> None:
        """Put proposals into the queue; a pending one with the same id is brought up to date, a person's edit kept."""
        ...

    def pending(self) -> list[Proposal]:
        """Return what awaits a decision, best first, with the person's edits taken in."""
        ...

    def all(self) -> list[Proposal]:
        """Return every proposal in any state."""
        ...

    def find(self, prefix: str) -> Proposal:
        """Return the proposal with this id or unique prefix. Raises NotFound or Ambiguous."""
        ...

    def settle(self, proposal: Proposal) -> None:
        """Store a proposal in its new state: decided ones leave the queue, an undone one comes back."""
        ...

    def problems(self) -> list[Problem]:
        """Return the documents of the queue that cannot be read."""
        ...
