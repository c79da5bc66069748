"""Revert: one import, session or backfill is taken back.

Of an import or a session the memories lie in the archive, and its words are out of the journal; of a backfill the words
that it put into lessons are out of them again, except where a person changed them. Nothing is lost: the
history has the words, the archive the memories. What was taken back does not come back by itself when the session goes
on or its transcript is read again; an import that is told to takes it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases import filling
from hardwon.kernel.use_cases.hook_program import tell_hook
from hardwon.kernel.use_cases.operations import Operation, operations
from hardwon.kernel.use_cases.read_sessions import ReadFiles
from hardwon.kernel.use_cases.usage import REVERT
from hardwon.kernel.use_cases.write_gate.conflicts import withdraw_questions
from hardwon.kernel.use_cases.write_gate.reinforcing import withdraw_evidence

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


@dataclass(frozen=True)
class Reverted:
    """What was taken back."""

    kind: str
    """import, session or backfill."""
    id: str
    memories: tuple[MemoryEntry, ...]
    """Those that were archived by it or, of a backfill, had words taken out."""
    turns: int
    """Turns whose words are out of the journal now."""


def revert(home: Home, name: str) -> Reverted:
    """Take back the import, session or backfill of this id or the start of it.

    Raises NotFound, Ambiguous, StoreError.
    """
    told = operations(home)
    kind, id = _meant(home, name, told)
    if kind == filling.KIND:
        return _emptied(home, id)
    entries = _of_import(home, id, told) if kind == "import" else _of_session(home, id)
    standing = [entry for entry in entries if entry.status is not Status.ARCHIVED]
    storage, now = home.storage, home.clock.now()
    with storage.operation(f"Take back the {kind} {id}"):
        archived = [_archived(home, entry) for entry in standing]
        withdraw_evidence(home, entries)
        sessions = _sessions(home, kind, id)
        turns = storage.journal.retract(now, **{"taken_by" if kind == "import" else "session": id})
        details = {"of": f"{kind} {id}", "memories": [entry.id for entry in archived], "turns": turns}
        storage.ledger.append([Activity(kind=REVERT, at=now, details=details)])
    tell_hook(home)
    read = ReadFiles(home)
    read.forget(sessions)
    read.save()
    return Reverted(kind, id, tuple(archived), turns)


def _emptied(home: Home, id: str) -> Reverted:
    with home.storage.operation(f"Take back the {filling.KIND} {id}"):
        changed = filling.take_out(home, id)
        details = {"of": f"{filling.KIND} {id}", "memories": [entry.id for entry in changed]}
        home.storage.ledger.append([Activity(kind=REVERT, at=home.clock.now(), details=details)])
    return Reverted(filling.KIND, id, tuple(changed), 0)


def _meant(home: Home, name: str, told: Sequence[Operation]) -> tuple[str, str]:
    """Return whether an import, a session or a backfill is meant, and its id."""
    known = {(each.kind, each.id) for each in told if each.kind in ("import", filling.KIND) and each.id}
    known |= {("session", each.session) for each in home.storage.journal.sessions()}
    known |= {("session", each.id) for each in told if each.kind == "session" and each.id}
    known |= {("session", each.source.session) for each in _every(home) if each.source.session}
    found = [each for each in known if each[1] == name] or [each for each in known if name and each[1].startswith(name)]
    if not found:
        raise NotFound(f"There is no import, session or backfill “{name[:60]}”; `hardwon log` lists them.")
    if len(found) > 1:
        few = ", ".join(sorted(id for _, id in found)[:5])
        raise Ambiguous(f"“{name[:60]}” fits {len(found)} of them ({few}, …); write more of the id.")
    return found[0]


def _every(home: Home) -> list[MemoryEntry]:
    return list(home.storage.memories.scan(Filter(statuses=None)))


def _of_import(home: Home, id: str, told: Sequence[Operation]) -> list[MemoryEntry]:
    ids = [memory for each in told if each.kind == "import" and each.id == id for memory in each.memories]
    return list(home.storage.memories.get(ids).values())


def _of_session(home: Home, session: str) -> list[MemoryEntry]:
    return [entry for entry in _every(home) if entry.source.session == session]


def _sessions(home: Home, kind: str, id: str) -> set[str]:
    """Return the sessions whose transcripts have to be read again by an import that takes them again."""
    if kind == "session":
        return {id}
    return {each.session for each in home.storage.journal.sessions() if id in each.taken_by}


def _archived(home: Home, entry: MemoryEntry) -> MemoryEntry:
    withdraw_questions(home, entry.id)
    times = entry.times.model_copy(update={"retracted_at": home.clock.now()})
    return home.storage.memories.update(entry.id, {"status": Status.ARCHIVED, "times": times})
