"""Finding one memory by what a person has at hand: its id, the start of its id, or the id it had elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.query import Filter

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

SHOWN = 5
"""Candidates that an error names."""


def find_memory(home: Home, reference: str) -> MemoryEntry:
    """Return the memory with this id, this external id, or the only one whose id starts so, whatever its status.

    Raises NotFound, and Ambiguous that names what would fit.
    """
    reference = reference.strip()
    memories = home.storage.memories
    if reference in (exact := memories.get([reference])):
        return exact[reference]
    fitting = list(memories.scan(Filter(external_ids=(reference,), statuses=None)))
    if not fitting and reference:
        fitting = [entry for entry in memories.scan(Filter(statuses=None)) if entry.id.startswith(reference)]
    if not fitting:
        raise NotFound(f"There is no memory “{reference}”; look for it with `hardwon recall`.")
    if len(fitting) > 1:
        names = ", ".join(f"{entry.id} ({entry.title[:40]})" for entry in fitting[:SHOWN])
        more = f" and {len(fitting) - SHOWN} more" if len(fitting) > SHOWN else ""
        raise Ambiguous(f"“{reference}” fits {len(fitting)} memories: {names}{more}; give the whole id.")
    return fitting[0]
