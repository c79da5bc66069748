"""Remember: the user says something, and it is kept as they said it. Forget: it is gone, and stays gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.asking.answers import forget_answers
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.forgotten import load_forgotten, save_forgotten, take_back, traces, words_trace

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def remember(home: Home, entry: MemoryEntry) -> tuple[MemoryEntry, bool]:
    """Keep a memory and return it with whether it is new; what is known and lies in the archive stands again.

    Secrets and private text are left out. Raises InvalidInput when nothing else is in it.
    """
    # First of all: not even a fingerprint of a secret is kept.
    entry, _ = redacted(home.redactor, entry)
    if not entry.content.strip():
        raise InvalidInput("All of the text is private, so nothing was kept; give what is to be remembered.")
    key = f"remember:{fingerprint(entry.scope.project or '', entry.kind, entry.content)}"
    entry = entry.model_copy(update={"idempotency_key": key})
    memories = home.storage.memories
    with home.storage.operation(f"Remember: {entry.title}"):
        kept = memories.put([entry])[0]
        take_back(home, [kept])
        kept = stand_again(home, kept)
    return kept, kept.id == entry.id


def stand_again(home: Home, entry: MemoryEntry, status: Status = Status.ACTIVE) -> MemoryEntry:
    """Return a memory as it stands once it is wanted: one that lies in the archive comes back, with this status."""
    if entry.status is not Status.ARCHIVED:
        return entry
    times = entry.times.model_copy(update={"retracted_at": None})
    return home.storage.memories.update(entry.id, {"status": status, "times": times})


def forget(home: Home, entry: MemoryEntry) -> None:
    """Delete a memory, its links and its words in proposals for good; fingerprints stay, against another import.

    A proposal whose document cannot be read is left alone, as `doctor` says of it.
    """
    with home.storage.operation(f"Forget {entry.id}"):
        save_forgotten(home, load_forgotten(home) | {*traces(entry), words_trace(entry)})
        home.storage.memories.delete([entry.id])
        for proposal in home.queue.all():
            if (left := proposal.without_words_of(entry.id)) != proposal:
                home.queue.settle(left)
    forget_answers(home.path)
