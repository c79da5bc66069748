"""The fake store's search: a memory is found by the words that it shares with the query."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.kernel.candidate import Candidate, Found
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Query
from hardwon.kernel.stop_words import ALL as STOP_WORDS

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
"""A Chinese character, or a run of letters and digits of any other script."""


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, in one case."""
    return frozenset(_WORD.findall(text.casefold()))


def candidates(query: Query, entries: Sequence[MemoryEntry]) -> Found:
    """Return the entries that share a word with the query's text.

    The share of its words is the lexical score, the share of those that tell something the coverage.
    """
    asked = words(query.text)
    if not asked:
        return Found([], ["The query holds no word to search for."])
    return Found([_candidate(entry, asked) for entry in entries if asked & words(_searched(entry))])


def _searched(entry: MemoryEntry) -> str:
    return "\n".join((entry.content, entry.lesson.principle or "", *entry.tags))


def _candidate(entry: MemoryEntry, asked: frozenset[str]) -> Candidate:
    found = words(_searched(entry))
    telling = asked - STOP_WORDS or asked
    return Candidate(
        id=entry.id,
        kind=entry.kind.value,
        project=entry.scope.project,
        status=entry.status.value,
        strength=entry.strength.value,
        confidence=entry.confidence,
        importance=entry.importance,
        asserted_at=entry.times.asserted_at.timestamp(),
        lexical=len(asked & found) / len(asked),
        coverage=len(telling & found) / len(telling),
        length=len(entry.content),
        words=" ".join(found),
        applies_when={key: list(value) for key, value in entry.scope.applies_when.model_dump().items()},
    )
