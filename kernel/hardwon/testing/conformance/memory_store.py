"""MemoryStoreConformance: keeping, changing and forgetting memories, and all that reading promises."""

from __future__ import annotations

from hardwon.testing.conformance.memory_filters import MemoryFilters
from hardwon.testing.conformance.memory_history import MemoryHistory
from hardwon.testing.conformance.memory_relations import MemoryRelations
from hardwon.testing.conformance.memory_search import MemorySearch
from hardwon.testing.conformance.memory_texts import MemoryTexts
from hardwon.testing.conformance.memory_time import MemoryTime
from hardwon.testing.conformance.memory_writing import MemoryWriting


class MemoryStoreConformance(
    MemoryWriting, MemoryTexts, MemoryFilters, MemoryTime, MemoryRelations, MemoryHistory, MemorySearch
):
    """What every MemoryStore promises. Give the fixture `storage`: an open, empty Storage."""
