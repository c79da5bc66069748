"""Reinforce: another source says what a memory says already. The memory stands, the new words are its evidence.

Words that differ are kept as a memory in the archive that it is derived from, so that both sources stay findable; that
another source agreed moves its confidence, and an observed memory that has enough of it becomes active.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hardwon.kernel.confidence import DOUBTFUL
from hardwon.kernel.memory import Status
from hardwon.kernel.plain_words import plain_words
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.feedback import STOPPED
from hardwon.kernel.use_cases.hook_program import tell_hook
from hardwon.kernel.use_cases.usage import EVIDENCE, confidence_of, forget_uses

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

USER = "user"
_NOTE = "says the same in other words"


def reinforce(home: Home, known: MemoryEntry, said: MemoryEntry) -> MemoryEntry:
    """Note that `said`, which is not kept as a memory of its own, says what `known` says; return this as it stands."""
    reinforced = _reinforced(home, known, said)
    tell_hook(home)
    return reinforced


def _reinforced(home: Home, known: MemoryEntry, said: MemoryEntry) -> MemoryEntry:
    other_words = plain_words(said.content) != plain_words(known.content)
    if other_words:
        _keep_beside(home, known, said)
    return _counted(home, known, said, said.id if other_words else None)


def corroborated_by(home: Home, known: MemoryEntry, other: MemoryEntry) -> bool:
    """Link a memory that says the same and stands beside a known one as its evidence; return whether that is new.

    Whoever has linked all that there is tells the hook.
    """
    if not _derive(home, known.id, other.id):
        return False
    _counted(home, known, other, other.id)
    return True


def _counted(home: Home, known: MemoryEntry, said: MemoryEntry, memory: str | None) -> MemoryEntry:
    """Count an independent source, which may be a `memory` of its own; return the known one as it stands."""
    if not is_independent(known, said):
        return known
    source = said.source
    details: dict[str, Any] = {"said_by": source.said_by, "harness": source.harness, "project": said.scope.project}
    details |= {"turn": source.turn, "memory": memory, "written": is_written(said) or None}
    record = Activity(
        kind=EVIDENCE,
        at=home.clock.now(),
        memory=known.id,
        session=source.session,
        details={name: value for name, value in details.items() if value is not None},
    )
    home.storage.ledger.append([record])
    forget_uses(home)
    return adopt(home, known)


def reinforce_each(home: Home, agreements: Iterable[tuple[str, MemoryEntry]]) -> None:
    """Let what was said again be evidence for the memories, by their ids, that say it already."""
    agreements = list(agreements)
    entries = home.storage.memories.get([id for id, _ in agreements])
    for id, said in agreements:
        found = entries.get(id)
        known = found and (said_by_another(home, found) or found)
        if known is not None and known.status is not Status.ARCHIVED:
            _reinforced(home, known, said)
    if agreements:
        tell_hook(home)


def is_independent(known: MemoryEntry, said: MemoryEntry) -> bool:
    """Tell whether two sources are two: not one session twice, nor one person's own words twice."""
    one, other = known.source, said.source
    if one.session or other.session:
        return (one.harness, one.session) != (other.harness, other.session)
    return (one.said_by, one.file, one.url) != (other.said_by, other.file, other.url)


def is_written(entry: MemoryEntry) -> bool:
    """Tell whether a person wrote this for the memory themselves; words of theirs that were captured are not that."""
    return entry.source.said_by == USER and entry.source.session is None


def adopt(home: Home, entry: MemoryEntry) -> MemoryEntry:
    """Let an observed memory be recalled once its evidence is enough; what the user stopped stays stopped.

    One that belongs to no project stays observed as well: that it holds everywhere is what is in doubt there.
    """
    is_waiting = entry.status is Status.OBSERVED and STOPPED not in entry.metadata and entry.scope.project is not None
    if not is_waiting or confidence_of(home, entry) < DOUBTFUL:
        return entry
    with home.storage.operation(f"Adopt {entry.id}, since another source says the same: {entry.title}"):
        return home.storage.memories.update(entry.id, {"status": Status.ACTIVE})


def withdraw_evidence(home: Home, entries: Iterable[MemoryEntry]) -> None:
    """Let what was taken back be evidence of nothing any more."""
    for entry in entries:
        edges = [edge for edge in home.storage.memories.relations(entry.id) if _is_evidence(edge, entry.id)]
        if edges:
            home.storage.memories.unrelate(edges, home.clock.now())
    forget_uses(home)


def _is_evidence(edge: Relation, said: str) -> bool:
    return edge.kind is RelationKind.DERIVED_FROM and edge.target == said and edge.note == _NOTE


def _keep_beside(home: Home, known: MemoryEntry, said: MemoryEntry) -> None:
    (kept,) = home.storage.memories.put([said.model_copy(update={"status": Status.ARCHIVED})])
    if kept.id != known.id:
        _derive(home, known.id, kept.id)


def _derive(home: Home, known: str, source: str) -> bool:
    """Link a memory to what says the same; return whether that is new: neither of the two is evidence of the other."""
    edge = Relation(
        source=known,
        kind=RelationKind.DERIVED_FROM,
        target=source,
        note=_NOTE,
        asserted_at=home.clock.now(),
    )
    if any(each.kind is edge.kind and each.other(known) == source for each in home.storage.memories.relations(known)):
        return False
    home.storage.memories.relate([edge])
    return True


def evidence_beside(home: Home, entry: MemoryEntry) -> list[MemoryEntry]:
    """Return the archived words of other sources that are evidence of a memory."""
    edges = [edge for edge in home.storage.memories.relations(entry.id) if _is_evidence(edge, edge.target)]
    found = home.storage.memories.get([edge.target for edge in edges if edge.source == entry.id])
    return [each for each in found.values() if each.status is Status.ARCHIVED]


def said_by_another(home: Home, entry: MemoryEntry) -> MemoryEntry | None:
    """Return the memory that archived words are evidence of; None where they are of none that stands."""
    if entry.status is not Status.ARCHIVED:
        return None
    edges = home.storage.memories.relations(entry.id)
    sources = [edge.source for edge in edges if edge.kind is RelationKind.DERIVED_FROM and edge.target == entry.id]
    standing = home.storage.memories.get(sources)
    return next((each for each in standing.values() if each.status is not Status.ARCHIVED), None)
