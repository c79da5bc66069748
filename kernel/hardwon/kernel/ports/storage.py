"""What keeps things: the five doors of a store, and the store that has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.journal import Block, JournalSession, JournalTurn, Known, Standing
    from hardwon.kernel.ports.memories import MemoryStore
    from hardwon.kernel.proposal import Decision, Proposal
    from hardwon.kernel.records import Activity, Problem
    from hardwon.kernel.session import Turn


class Ledger(Protocol):
    """Keeps what happened: decisions for ever and with the memory, activity on this device and prunable."""

    def decide(self, decision: Decision) -> None:
        """Record a decision; one with the same id is recorded once."""
        ...

    def decisions(self, proposal: str | None = None) -> list[Decision]:
        """Return decisions of one proposal or of all, oldest first, each after the one that it follows (`in_order`)."""
        ...

    def append(self, records: Iterable[Activity]) -> None:
        """Record activity."""
        ...

    def activity(self, kind: str | None = None, since: datetime | None = None) -> Iterator[Activity]:
        """Walk activity, oldest first."""
        ...

    def prune(self, before: datetime, keeps: Callable[[Activity], bool]) -> int:
        """Remove the activity of months (of UTC) that had ended by then, but what `keeps` keeps; return how many.

        What cannot be read is kept. Raises StoreError.
        """
        ...


class Documents(Protocol):
    """Keeps named texts beside the memories, under the same care: the review queue, the list of projects."""

    def read(self, name: str) -> str | None:
        """Return a document's text as it stands now, with a person's edits; None when there is none."""
        ...

    def write(self, name: str, text: str, *, durable: bool = False) -> None:
        """Write a document whole or not at all.

        `durable`: what a person wrote or decided, and whatever nobody could make again. It survives a power cut once
        the operation that it is part of has ended, however much else that writes.
        """
        ...

    def move(self, name: str, to: str) -> None:
        """Rename a document, replacing what stands there. Raises NotFound."""
        ...

    def names(self, prefix: str) -> list[str]:
        """Return the names that start with `prefix`, sorted."""
        ...


class Vectors(Protocol):
    """Keeps embeddings by the name of their space and the fingerprint of the text they embed.

    A vector is raw little-endian float32 of unit length. Vectors of two spaces never mix, and a space that is no longer
    in use is kept, so that going back to an embedder costs nothing.
    """

    def fetch(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors that exist, by key."""
        ...

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors."""
        ...

    def spaces(self) -> list[str]:
        """Return the names of the spaces that something is kept of, sorted."""
        ...

    def walk(self, space: str) -> Iterator[tuple[str, bytes]]:
        """Walk everything that is kept of a space: key and vector, by key."""
        ...


class Journal(Protocol):
    """Keeps what was said in sessions, in the order of time: the evidence, which is searched only on demand."""

    def write(self, turns: Sequence[JournalTurn], *, again: bool = False) -> list[Standing]:
        """Keep turns, all or none; return what was known of each before.

        Only what is NEW is written whole, and of what GREW the messages that are not known. `again` writes a turn that
        was taken back as if it were new. Raises StoreError when nothing was written.
        """
        ...

    def standing(self, turns: Sequence[Turn]) -> list[Standing]:
        """Return what is known of each turn."""
        ...

    def of_session(self, session: str, harness: str | None = None) -> list[Block]:
        """Return what is kept of a session, oldest first."""
        ...

    def sessions(self) -> list[JournalSession]:
        """Return the sessions that something is kept of, the newest first."""
        ...

    def blocks(self) -> Iterator[Known]:
        """Walk everything that is kept, what was taken back too, in the order of time."""
        ...

    def keep(self, blocks: Sequence[Known]) -> int:
        """Keep blocks as another journal had them, all or none; return how many were not here.

        What was taken back there is known here, without words.
        """
        ...

    def search(self, text: str, limit: int = 8, projects: Sequence[str | None] | None = None) -> list[Block]:
        """Return the blocks that hold most words of a question, best first. Any text is a valid question.

        `projects` names those that may be looked into (None among them: what belongs to none); None means all.
        """
        ...

    def retract(
        self, at: datetime, *, session: str | None = None, harness: str | None = None, taken_by: str | None = None
    ) -> int:
        """Take out the words of a session, or of what one import took; return of how many turns.

        What is left of a turn says that it was known, so that it does not come back by itself.
        """
        ...


class Proposals(Protocol):
    """Keeps proposals as rows, each with what a person noted on it, under the same care as the memories."""

    def ids(self) -> list[str]:
        """Return the ids of all, sorted."""
        ...

    def read(self, ids: Sequence[str] | None = None) -> dict[str, tuple[Proposal, str]]:
        """Return proposals and notes of those that exist, or of all, by id in the order of ids."""
        ...

    def write(self, proposal: Proposal, notes: str) -> None:
        """Keep a proposal with its notes, in the place of what stood under its id."""
        ...


class Storage(Protocol):
    """What a store plugin provides for one home: five doors to one truth."""

    @property
    def memories(self) -> MemoryStore:
        """Return the memories."""
        ...

    @property
    def ledger(self) -> Ledger:
        """Return the ledger."""
        ...

    @property
    def documents(self) -> Documents:
        """Return the documents."""
        ...

    @property
    def vectors(self) -> Vectors:
        """Return the vectors."""
        ...

    @property
    def journal(self) -> Journal:
        """Return the journal."""
        ...

    def operation(self, why: str) -> AbstractContextManager[None]:
        """Hold the writers' lock and make everything inside one change of the history, with `why` as its message.

        When something inside raises, none of it stands: no memory, edge, document, decision or turn that was written
        since this operation began, whoever reads or opens the store afterwards; the error goes on to the caller.
        Operations nest: an inner one that fails takes back its own part alone, and the outer one may go on. Activity
        and vectors are not part of it and stay.
        """
        ...

    def reference(self, id: str) -> str:
        """Return how a document points at a memory: a wikilink's target where memories are files, else the id."""
        ...

    def problems(self) -> list[Problem]:
        """Return what was met and could not be read or is not as it should be."""
        ...

    def close(self) -> None:
        """Close everything; closing twice is harmless."""
        ...
