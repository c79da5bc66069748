"""Feedback: what a user made of something that the memory showed.

Useful and wrong are counted from the ledger (usage.py) and weigh in the ranking; followed and ignored are counted where
a rule's health is told. Stop makes the memory an observed one:
it is kept, found by who asks for observed memories, and not shown unasked any more. Useful takes that back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hardwon.kernel.confidence import DENIED, is_denied
from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import Status
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.hook_program import tell_hook
from hardwon.kernel.use_cases.usage import FEEDBACK, evidence

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

STOPPED = "stopped"
"""The metadata key under which a memory that the user stopped keeps the status it had; an unconfirmed one has none."""


class Verdict(StrEnum):
    """What the user says, or an agent of itself: followed and ignored."""

    USEFUL = "useful"
    WRONG = "wrong"
    STOP = "stop"
    FOLLOWED = "followed"
    """It was acted upon; counted for the health of a rule, and nothing else."""
    IGNORED = "ignored"
    """It was read and not acted upon; counted likewise."""


@dataclass(frozen=True)
class Heard:
    """What became of a memory by a verdict."""

    memory: MemoryEntry
    verdict: Verdict
    shown_unasked: bool
    """Whether it is shown unasked from now on."""
    changed: bool
    """Whether it was shown unasked before and is not now, or the other way round."""


def give_feedback(
    home: Home, entry: MemoryEntry, verdict: Verdict, *, session: str | None = None, through: str | None = None
) -> Heard:
    """Take a verdict on a memory; `through` names the agent that passed it on.

    Raises Conflict for a verdict that would bring back what is archived, StoreError when it could not be kept.
    """
    if entry.status is Status.ARCHIVED and verdict in (Verdict.USEFUL, Verdict.STOP):
        raise Conflict(f"{entry.id} is archived and not shown anyway; `hardwon show {entry.id}` says why.")
    before = _is_shown(home, entry)
    after = _in_its_place(home, entry, verdict)
    details = {"verdict": verdict.value} | ({"through": through} if through else {})
    record = Activity(kind=FEEDBACK, at=home.clock.now(), memory=entry.id, session=session, details=details)
    home.storage.ledger.append([record])
    tell_hook(home)
    shown = _is_shown(home, after)
    return Heard(after, verdict, shown, shown is not before)


def _is_shown(home: Home, entry: MemoryEntry) -> bool:
    """Tell whether a memory is shown unasked."""
    return entry.status in (Status.ACTIVE, Status.CONFLICT) and not is_denied(evidence(home).get(entry.id))


def _in_its_place(home: Home, entry: MemoryEntry, verdict: Verdict) -> MemoryEntry:
    """Return the memory with the status that the verdict gives it."""
    if verdict is Verdict.STOP and entry.status is not Status.OBSERVED:
        why, changed = f"Stop showing {entry.id} unasked: {entry.title}", _stopped
    elif verdict is Verdict.USEFUL and entry.status is Status.OBSERVED:
        why, changed = f"Show {entry.id} again: {entry.title}", _shown_again
    else:
        return entry
    with home.storage.operation(why):
        # As it stands now: somebody else may have written into it since it was read.
        present = home.storage.memories.get([entry.id]).get(entry.id, entry)
        changes = changed(present)
        return home.storage.memories.update(entry.id, changes) if changes else present


def _stopped(entry: MemoryEntry) -> dict[str, Any]:
    if entry.status is Status.OBSERVED:
        return {}
    return {"status": Status.OBSERVED, "metadata": {**entry.metadata, STOPPED: entry.status.value}}


def _shown_again(entry: MemoryEntry) -> dict[str, Any]:
    if entry.status is not Status.OBSERVED:
        return {}
    left = {name: value for name, value in entry.metadata.items() if name != STOPPED}
    before = Status.CONFLICT if entry.metadata.get(STOPPED) == Status.CONFLICT else Status.ACTIVE
    return {"status": before, "metadata": left}


def told(heard: Heard) -> str:
    """Return what became of a memory, in a sentence, with how to take it back."""
    id = heard.memory.id
    if heard.verdict is Verdict.STOP:
        return f"`{id}` is not shown unasked any more; `hardwon feedback {id} useful` takes that back."
    if heard.verdict is Verdict.WRONG:
        return (
            f"`{id}` has a confidence of {DENIED} from now on and is not shown unasked; `hardwon edit {id}` corrects "
            f"it, `hardwon forget {id}` deletes it, `hardwon feedback {id} useful` takes this back."
        )
    if heard.verdict in (Verdict.FOLLOWED, Verdict.IGNORED):
        return f"That `{id}` was {heard.verdict} is counted."
    return f"`{id}` is shown again." if heard.changed else f"`{id}` counts for more from now on."
