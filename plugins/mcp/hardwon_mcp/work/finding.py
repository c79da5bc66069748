"""The memory that an agent means: one of those that its session may see."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hardwon.kernel.errors import NotFound
from hardwon.kernel.query import RECALLED
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.lookup import find_memory

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon_mcp.work.context import Context


def find_shown(context: Context, reference: str) -> MemoryEntry:
    """Return the memory of this id or a unique part of it: of this project, of everywhere, or the evidence of a rule.

    By accepting a rule the user let its lessons be read wherever it holds. Raises NotFound, Ambiguous.
    """
    try:
        return find_memory(context.home, reference, context.visible)
    except NotFound:
        # What else this may mean is nobody's business here, so the first error is the one that is told.
        with contextlib.suppress(NotFound):
            entry = find_memory(context.home, reference, context.visible.model_copy(update={"projects": None}))
            if _is_evidence(context, entry):
                return entry
        raise


def _is_evidence(context: Context, entry: MemoryEntry) -> bool:
    """Tell whether a rule that holds here stands on this lesson."""
    edges = context.home.storage.memories.relations(entry.id)
    rules = tuple(edge.source for edge in edges if edge.kind is RelationKind.GENERALIZES and edge.target == entry.id)
    holding = context.visible.model_copy(update={"ids": rules, "statuses": RECALLED})
    return bool(rules) and next(iter(context.home.storage.memories.scan(holding)), None) is not None
