"""What of a memory is searched: the terms it is found by, the keys of its vectors, the facts that filters ask for.

All of it as the columns of `search_documents` have it, whoever writes those: a table of search's own, or a store's
memories of which that is a view.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardwon.kernel.text import date_terms, index_terms, language_of
from hardwon.kernel.use_cases.embedding import searched_texts, vector_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.scope import AppliesWhen

MOST_REPEATS = 4
"""How often one term of a memory is kept: BM25 hardly tells more apart, and a megabyte becomes a few kilobytes."""

FACTS = (
    "namespace", "project", "agent", "kind", "status", "strength", "confidence", "importance", "asserted_at",
    "retracted_at", "valid_at", "valid_until", "external_id", "idempotency_key", "topics", "tags", "applies_when",
    "characters",
)  # fmt: skip
"""Columns as in the files store's `memories`; `characters` is the length of the content."""


@dataclass(frozen=True, slots=True)
class Document:
    """One memory as it is indexed."""

    id: str
    terms: str
    """Each term as often as it occurs, at most MOST_REPEATS times, with blanks between."""
    length: int
    """How many terms there are, with all repeats."""
    vector_keys: str
    """Of each text: its language and its key, as in `en:4c1f…`, with blanks between."""
    facts: tuple[Any, ...]
    """Values of the columns FACTS."""


def document(entry: MemoryEntry) -> Document:
    """Return what the index keeps of a memory."""
    terms = _terms(entry)
    keys = [f"{language_of(text)}:{vector_key(text)}" for text in searched_texts(entry)]
    return Document(entry.id, " ".join(_kept(terms)), len(terms), " ".join(keys), _facts(entry))


def _terms(entry: MemoryEntry) -> list[str]:
    """Return the terms of the content, the lesson's fields, tags, topics and the day it was true or learned."""
    lesson = entry.lesson
    texts = [entry.content, lesson.situation, lesson.cause, lesson.fix, lesson.principle, *entry.tags, *entry.topics]
    day = entry.times.valid_at or entry.times.asserted_at
    return index_terms("\n".join(text for text in texts if text)) + date_terms(day)


def _kept(terms: list[str]) -> list[str]:
    """Return the terms without those that occur once too often."""
    if len(terms) - len(set(terms)) < MOST_REPEATS:
        return terms
    counts = Counter(terms)
    if max(counts.values()) <= MOST_REPEATS:
        return terms
    return [term for term, count in counts.items() for _ in range(min(count, MOST_REPEATS))]


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def _facts(entry: MemoryEntry) -> tuple[Any, ...]:
    scope, times = entry.scope, entry.times
    return (
        scope.namespace, scope.project, scope.agent, entry.kind.value, entry.status.value, entry.strength.value,
        entry.confidence, entry.importance, times.asserted_at.timestamp(), _seconds(times.retracted_at),
        _seconds(times.valid_at), _seconds(times.valid_until), entry.external_id, entry.idempotency_key,
        _json(entry.topics), _json(entry.tags), _applies_when(scope.applies_when), len(entry.content),
    )  # fmt: skip


def _json(values: Sequence[str]) -> str:
    return json.dumps(values) if values else "[]"


def _applies_when(surroundings: AppliesWhen) -> str:
    """Return what a memory applies to, as JSON; an empty text for one that applies anywhere."""
    if not (surroundings.languages or surroundings.frameworks or surroundings.roles or surroundings.tags):
        return ""
    return json.dumps({key: values for key, values in surroundings.model_dump().items() if values})
