"""What of a memory is searched: the terms it is found by and the keys of its vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.text import date_terms, index_terms
from hardwon.kernel.use_cases.embedding import embedded_texts, vector_key

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry

LONGEST = 50_000
"""Characters of a text that are indexed."""


def document_terms(entry: MemoryEntry) -> list[str]:
    """Return the terms of the content, the lesson's fields, tags, topics and the day it was true or learned."""
    lesson = entry.lesson
    texts = [entry.content, lesson.situation, lesson.cause, lesson.fix, lesson.principle, *entry.tags, *entry.topics]
    day = entry.times.valid_at or entry.times.asserted_at
    return index_terms("\n".join(text for text in texts if text)[:LONGEST]) + date_terms(day)


def vector_keys(entry: MemoryEntry) -> list[str]:
    """Return the keys that the vectors of a memory's texts are kept under."""
    return [vector_key(text) for text in embedded_texts(entry)]
