"""Remember: the user says something, and it is kept as they said it. Forget: it is gone, and stays gone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hardwon.kernel.asking.answers import forget_answers
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.lesson_fields import FIELDS, is_derived, may_be_worded, worded
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.forgotten import load_forgotten, save_forgotten, take_back, traces, words_trace
from hardwon.kernel.use_cases.superseding import heads_of, is_superseded, joined_without
from hardwon.kernel.use_cases.write_gate.admitting import Admitted, admit, take_place
from hardwon.kernel.use_cases.write_gate.conflicts import withdraw_questions
from hardwon.kernel.use_cases.write_gate.reinforcing import evidence_beside, reinforce, said_by_another

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def remember(home: Home, entry: MemoryEntry, *, replaces: MemoryEntry | None = None, by: str | None = None) -> Admitted:
    """Keep a memory by the rules of the write gate; what is known and lies in the archive stands again.

    `replaces` names a memory whose place it takes; `by` who gives it where that is not who said it. What is known takes
    over the parts of a lesson that it lacked. Secrets and private text are left out. Raises InvalidInput when
    nothing else is in it, Conflict when it lies further back in the chain of what it shall replace.
    """
    # First of all: not even a fingerprint of a secret is kept.
    entry, _ = redacted(home.redactor, entry)
    if not entry.content.strip():
        raise InvalidInput("All of the text is private, so nothing was kept; give what is to be remembered.")
    of_agent = (entry.scope.agent,) if entry.scope.agent else ()  # what another agent may not see is no repetition
    key = f"remember:{fingerprint(entry.scope.project or '', entry.kind, entry.content, *of_agent)}"
    with home.storage.operation(f"Remember: {entry.title}"):
        known, key = _known(home, entry, key)
        if known is not None and replaces is not None and known.id == replaces.id and _is_to_come(home, known):
            key = f"{key}:{fingerprint(known.id, length=6)}"
            known = None
        entry = entry.model_copy(update={"idempotency_key": key})
        if known is None:
            admitted = admit(home, entry, replaces=replaces)
        else:
            admitted = Admitted(_once_more(home, known, entry), is_new=False)
            if replaces is not None and replaces.id != admitted.entry.id:
                heir = take_place(home, admitted.entry, replaces)
                admitted = Admitted(heir, is_new=False, notes=(f"It takes the place of {replaces.id}.",))
        if not admitted.is_new:
            admitted = _completed(home, admitted, entry, by or entry.source.said_by)
        take_back(home, [entry, admitted.entry])
    return admitted


def _known(home: Home, entry: MemoryEntry, key: str) -> tuple[MemoryEntry | None, str]:
    """Return the memory of exactly these words, and the key for a new one.

    What was superseded does not come back by itself: the same words are a new memory then, after the present head.
    """
    while True:
        wanted = Filter(idempotency_keys=(key,), namespace=entry.scope.namespace, statuses=None)
        known = next(iter(home.storage.memories.scan(wanted)), None)
        if known is None or not is_superseded(home, known.id):
            return known, key
        key = f"{key}:{fingerprint(*heads_of(home, known.id), length=6)}"


def _is_to_come(home: Home, known: MemoryEntry) -> bool:
    """Tell whether a clock that ran ahead asserted a memory: the same words in its place are recalled from now on."""
    return known.times.asserted_at > home.clock.now()


def _completed(home: Home, admitted: Admitted, given: MemoryEntry, by: str) -> Admitted:
    """Give what was known the parts of a lesson that it lacked, or that were only derived; the others stay."""
    known = admitted.entry
    lacking = [name for name in FIELDS if not getattr(known.lesson, name) or is_derived(known, name)]
    parts = {
        name: words for name in lacking if (words := getattr(given.lesson, name)) and may_be_worded(known, name, by)
    }
    if not parts:
        return admitted
    known = home.storage.memories.update(known.id, worded(known, parts, by))
    return replace(admitted, entry=known, notes=(*admitted.notes, f"It took over what it lacked: {', '.join(parts)}."))


def _once_more(home: Home, known: MemoryEntry, entry: MemoryEntry) -> MemoryEntry:
    """Return the memory that says this already; the same words from somewhere else are evidence for it."""
    owner = said_by_another(home, known)
    if owner is not None:
        return reinforce(home, owner, entry)
    if known.status is Status.ARCHIVED:
        return stand_again(home, known)
    return reinforce(home, known, entry)


def stand_again(home: Home, entry: MemoryEntry, status: Status = Status.ACTIVE) -> MemoryEntry:
    """Return a memory as it stands once it is wanted: one that lies in the archive comes back, with this status."""
    if entry.status is not Status.ARCHIVED:
        return entry
    times = entry.times.model_copy(update={"retracted_at": None})
    return home.storage.memories.update(entry.id, {"status": status, "times": times})


def forget(home: Home, entry: MemoryEntry) -> list[MemoryEntry]:
    """Delete a memory, its links and its words in proposals for good; fingerprints stay, against another import.

    A chain of which it was a part stays one: what stood before and after it are joined.
    Return what said the same in other words and lies in the archive: it is of other sources, and only the user says
    whether it goes too. A proposal whose document cannot be read is left alone, as `doctor` says of it.
    """
    with home.storage.operation(f"Forget {entry.id}"):
        others = evidence_beside(home, entry)
        withdraw_questions(home, entry.id)
        save_forgotten(home, load_forgotten(home) | {*traces(entry), words_trace(entry)})
        home.storage.memories.relate(joined_without(home, entry.id))
        home.storage.memories.delete([entry.id])
        for proposal in home.queue.all():
            if (left := proposal.without_words_of(entry.id)) != proposal:
                home.queue.settle(left)
    forget_answers(home.path)
    return others
