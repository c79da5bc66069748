"""A storage as `home.storage` hands it out: whatever is written through it, by whom ever, is redacted first.

What is only read passes as it is. A storage may offer more than the port says (`Filed`, `Verified`): its other methods
are taken over, so that such protocols are met by this one where they are met by that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from hardwon.kernel.cleaning import refuse_too_deep
from hardwon.kernel.redacting.values import all_redacted, redacted, redacted_turn
from hardwon.kernel.stand_in import StandIn

if TYPE_CHECKING:
    from hardwon.kernel.journal import JournalTurn, Known, Standing
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import Documents, Journal, Ledger, MemoryStore, Noted, Redactor, ReviewQueue, Storage
    from hardwon.kernel.proposal import Decision, Proposal
    from hardwon.kernel.records import Activity
    from hardwon.kernel.relation import Relation
    from hardwon.kernel.session import Turn
    from hardwon.kernel.version import Version


class _Redacting(StandIn):
    """Stands before something that is written to."""

    def __init__(self, inner: Any, redactor: Callable[[], Redactor]) -> None:
        super().__init__(inner)
        self._redactor = redactor

    def _clean(self, value: Any) -> Any:
        return redacted(self._redactor(), value)[0]


class RedactingMemories(_Redacting):
    """Memories, of which none is kept with a secret."""

    _inner: MemoryStore

    def put(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Keep new memories without their secrets. Raises InvalidInput for one that is too deep for that."""
        for entry in entries:
            refuse_too_deep(entry.metadata)
        return self._inner.put(all_redacted(self._redactor(), entries))

    def update(self, id: str, changes: Mapping[str, Any], expected_revision: str | None = None) -> MemoryEntry:
        """Replace fields, without secrets. Raises InvalidInput for what is too deep to be looked through."""
        refuse_too_deep(changes.get("metadata") or {})
        clean = {name: self._clean(value) for name, value in changes.items()}
        return self._inner.update(id, clean, expected_revision)

    def relate(self, relations: Sequence[Relation]) -> None:
        """Assert edges, their notes without secrets; ids are random by nature and stay."""
        self._inner.relate(
            [each.model_copy(update={"note": self._clean(each.note)}) if each.note else each for each in relations]
        )

    def keep_versions(self, versions: Sequence[Version]) -> None:
        """Keep former states without their secrets."""
        self._inner.keep_versions([self._clean(version) for version in versions])


class RedactingLedger(_Redacting):
    """Decisions and activity without secrets."""

    _inner: Ledger

    def decide(self, decision: Decision) -> None:
        """Record a decision without its secrets."""
        self._inner.decide(self._clean(decision))

    def append(self, records: Iterable[Activity]) -> None:
        """Record activity without secrets."""
        self._inner.append([self._clean(record) for record in records])


class RedactingDocuments(_Redacting):
    """Documents without secrets."""

    _inner: Documents

    def write(self, name: str, text: str, *, durable: bool = False) -> None:
        """Write a document without its secrets; `<private>` is a word like others in a whole document."""
        self._inner.write(name, self._redactor().redact(text).text, durable=durable)

    def move(self, name: str, to: str) -> None:
        """Rename a document; what a person wrote into it stays behind if it is a secret."""
        text = self._inner.read(name)
        clean = self._redactor().redact(text).text if text else text
        if clean and clean != text:
            self._inner.write(name, clean)
        self._inner.move(name, to)


class RedactingJournal(_Redacting):
    """Turns without secrets; those that are asked about are redacted too, since that is how they are known again."""

    _inner: Journal

    def write(self, turns: Sequence[JournalTurn], *, again: bool = False) -> list[Standing]:
        """Keep turns without their secrets."""
        clean = [
            replace(each, turn=redacted_turn(self._redactor(), each.turn), project=self._clean(each.project))
            for each in turns
        ]
        return self._inner.write(clean, again=again)

    def keep(self, blocks: Sequence[Known]) -> int:
        """Keep blocks of another journal without their secrets."""
        return self._inner.keep([self._clean(block) for block in blocks])

    def standing(self, turns: Sequence[Turn]) -> list[Standing]:
        """Return what is known of each turn."""
        return self._inner.standing([redacted_turn(self._redactor(), turn) for turn in turns])


class RedactingStorage(_Redacting):
    """The doors of a storage, and its history's messages, without secrets."""

    _inner: Storage

    @cached_property
    def memories(self) -> MemoryStore:
        """Return the memories."""
        return cast("MemoryStore", RedactingMemories(self._inner.memories, self._redactor))

    @cached_property
    def ledger(self) -> Ledger:
        """Return the ledger."""
        return cast("Ledger", RedactingLedger(self._inner.ledger, self._redactor))

    @cached_property
    def documents(self) -> Documents:
        """Return the documents."""
        return cast("Documents", RedactingDocuments(self._inner.documents, self._redactor))

    @cached_property
    def journal(self) -> Journal:
        """Return the journal."""
        return cast("Journal", RedactingJournal(self._inner.journal, self._redactor))

    def operation(self, why: str) -> AbstractContextManager[None]:
        """Make everything inside one change of the history; what it says of itself has no secrets."""
        return self._inner.operation(self._clean(why))


class RedactingQueue(_Redacting):
    """Proposals without secrets, before a queue writes them in a form of its own."""

    _inner: ReviewQueue

    def add(self, proposals: Sequence[Proposal]) -> None:
        """Put proposals into the queue."""
        self._inner.add([self._clean(proposal) for proposal in proposals])

    def settle(self, proposal: Proposal) -> None:
        """Store a proposal in its new state."""
        self._inner.settle(self._clean(proposal))

    def annotate(self, proposal: Proposal, notes: str) -> None:
        """Store a proposal with other notes, in a queue that has notes."""
        cast("Noted", self._inner).annotate(self._clean(proposal), self._clean(notes))


def redacting_storage(inner: Storage, redactor: Callable[[], Redactor]) -> Storage:
    """Return a storage through which nothing is written that the redactor, asked for when it is needed, takes out."""
    return cast("Storage", RedactingStorage(inner, redactor))


def redacting_queue(inner: ReviewQueue, redactor: Callable[[], Redactor]) -> ReviewQueue:
    """Return a queue through which no proposal is written with what the redactor takes out."""
    return cast("ReviewQueue", RedactingQueue(inner, redactor))
