"""What makes rules of lessons: embedders, language models, generalizers, and the queue they fill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from pydantic import BaseModel

    from hardwon.kernel.cost import Cost
    from hardwon.kernel.memory import Lesson, MemoryEntry
    from hardwon.kernel.proposal import Decision, Proposal
    from hardwon.kernel.records import Problem
    from hardwon.kernel.sameness.verdict import Sameness

Role = Literal["query", "passage"]
Answer = TypeVar("Answer", bound="BaseModel")


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


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked: a long part that is the same in every call of its task, then what this call is about.

    The first part comes first on the wire and never changes by a byte, so that a provider's prompt cache holds.
    """

    task: str
    """The task with its version, such as `principle-1`."""
    prefix: str
    tail: str


LONGEST_ANSWER = 2_000
"""Tokens that an answer may take: an adapter asks its provider for no more, and as many are reserved before a call."""


class LanguageModel(Protocol):
    """Completes a prompt into a value of a schema, by one call that is not repeated.

    Caps, cache, repair, rest and the record are the caller's (`hardwon.kernel.asking`), the same for every adapter.
    """

    @property
    def name(self) -> str:
        """Return the provider's name of the model."""
        ...

    def complete(self, prompt: Prompt, schema: type[Answer]) -> tuple[Answer, Cost]:
        """Return the validated value and what it took.

        `hardwon.kernel.asking.reading.read_answer` reads a value from what models write. Raises ModelFailure that says
        what became of the call, and Unavailable where none can be made.
        """
        ...


@runtime_checkable
class Priced(Protocol):
    """A language model that knows beforehand what it would charge."""

    def price(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return US dollars; None where nobody knows. Raises Unavailable where no call can be made."""
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
        """Return the proposals that should stand now, best first; known ones under their known ids.

        New rules, and every change of a rule that stands: nothing changes a rule without the user's yes.
        """
        ...

    def weigh(self, lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]) -> list[Bearing]:
        """Return which lessons speak for or against which rules, each pair at most once, in no order that matters.

        That is counted and shown without asking. A lesson that has nothing to do with a rule bears on none.
        """
        ...


@runtime_checkable
class Founded(Protocol):
    """A generalizer that names what its answers hang on beside what it is given, so that a run may be spared."""

    def basis(self) -> str:
        """Return a name that is another one when the program, the catalogue or the embedder is."""
        ...


@runtime_checkable
class Drafter(Protocol):
    """A generalizer that can have the user's language model put something into words.

    None: it could not, and the activity says why. Never called while the writers' lock is held.
    """

    def draft_rule(self, lessons: Sequence[MemoryEntry], language: str) -> str | None:
        """Return one sentence that would have prevented what these lessons tell of."""
        ...

    def draft_lesson(self, entry: MemoryEntry) -> Lesson | None:
        """Return the parts of a lesson; without a principle where nothing in it transfers."""
        ...

    def relation_between(self, earlier: str, later: str) -> Sameness | None:
        """Return what a later text is to an earlier one."""
        ...


@dataclass(frozen=True, slots=True)
class Bearing:
    """That a lesson speaks for a rule, or against it."""

    rule: str
    lesson: str
    """Both are ids."""
    agrees: bool
    strength: float
    """How sure that is, 0–1."""


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


@runtime_checkable
class Noted(Protocol):
    """A review queue in which a person may note something on a proposal."""

    def notes(self, id: str) -> str:
        """Return what a person noted on a proposal; empty where there is nothing."""
        ...

    def annotate(self, proposal: Proposal, notes: str) -> None:
        """Store a proposal with other notes."""
        ...


@runtime_checkable
class OwnsDocuments(Protocol):
    """A review queue that keeps its proposals as documents of the store."""

    def owns(self, name: str) -> bool:
        """Tell whether a document is one of the queue's own."""
        ...
