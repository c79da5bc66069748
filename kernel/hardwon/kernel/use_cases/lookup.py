"""Finding one memory by what a person has at hand: its id, a part of its id, or the id it had elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.mounts import PREFIX
from hardwon.kernel.query import Filter

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

SHOWN = 5
"""Candidates that an error names."""
ANY = Filter(statuses=None)


def find_memory(home: Home, reference: str, among: Filter = ANY) -> MemoryEntry:
    """Return the memory with this id or external id, or the only one whose id starts or ends so, of any status.

    `among` says which memories the asker may see at all. Raises NotFound, and Ambiguous that names what would fit.
    """
    reference = reference.strip()
    memories = home.storage.memories
    exact = list(memories.scan(among.model_copy(update={"ids": (reference,)})))
    if exact:
        return exact[0]
    fitting = list(memories.scan(among.model_copy(update={"external_ids": (reference,)})))
    if not fitting and reference:
        fitting = [entry for entry in memories.scan(among) if _is_part(reference, entry.id)]
    if not fitting and reference.startswith(PREFIX):
        raise NotFound(f"“{reference}” is a passage of a mounted note, not a memory; `hardwon recall` names its file.")
    if not fitting:
        raise NotFound(f"There is no memory “{reference}”; look for it with `hardwon recall`.")
    if len(fitting) > 1:
        names = ", ".join(f"{entry.id} ({entry.title[:40]})" for entry in fitting[:SHOWN])
        more = f" and {len(fitting) - SHOWN} more" if len(fitting) > SHOWN else ""
        raise Ambiguous(f"“{reference}” fits {len(fitting)} memories: {names}{more}; give the whole id.")
    return fitting[0]


def _is_part(reference: str, id: str) -> bool:
    """Tell whether a reference is the start of an id, or its end, as agents are shown it."""
    return id.startswith(reference) or id.endswith(reference)
