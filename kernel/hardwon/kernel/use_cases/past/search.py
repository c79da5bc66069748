"""What answers a question by the words of then: the store finds what is as it was, and what changed is weighed here.

The store's index holds the words of now. Of a memory that changed, its nearness in meaning is taken as it is now; its
keywords are weighed anew: a word weighs what it weighs in other memories that hold it, and counts as it does when it
stands once in a text of average length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hardwon.kernel.candidate import Candidate, Found
from hardwon.kernel.filtering import means
from hardwon.kernel.query import Filter
from hardwon.kernel.text import index_terms, query_terms

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import MemoryStore
    from hardwon.kernel.query import Query

ONCE = 1 / 2.2
"""Of what a word can add to a score at most, what it adds when it stands once: BM25 with its usual parameters."""


def found_then(memories: MemoryStore, query: Query, changed: Mapping[str, MemoryEntry]) -> Found:
    """Return every candidate worth ranking; `changed` is what those memories said then that say something else now."""
    found = memories.search(query)
    same = [each for each in found.candidates if each.id not in changed]
    meant = {id: entry for id, entry in changed.items() if means(query.filter, entry)}
    if not meant:
        return Found(same, found.notes)
    now = memories.search(query.model_copy(update={"filter": Filter(ids=tuple(meant), statuses=None)}))
    nearness = {each.id: each for each in now.candidates}
    scale = _Scale(query_terms(query.text), (*found.candidates, *now.candidates))
    then = [scale.weighed(entry, nearness.get(id)) for id, entry in meant.items()]
    return Found([*same, *(each for each in then if each.lexical or each.cosine is not None)], found.notes)


class _Scale:
    """What the words of a question weigh, as far as the store's candidates tell."""

    def __init__(self, asked: list[str], known: tuple[Candidate, ...]) -> None:
        told: dict[str, float] = {}
        for candidate in known:
            for term, part in candidate.matched.items():
                told[term] = max(part, told.get(term, 0.0))
        # A word that no candidate holds is rarer than those that some hold.
        self._weights = {term: told.get(term, max(told.values(), default=1.0)) for term in asked}
        self._all = sum(self._weights.values()) or 1.0
        by_words = [each for each in known if each.weight is not None and each.lexical]
        self._rarest = max((each.weight / each.lexical for each in by_words if each.weight), default=float(len(asked)))
        self._usual = max((each.usual for each in known), default=0.0)

    def weighed(self, entry: MemoryEntry, now: Candidate | None) -> Candidate:
        """Return a memory as a candidate by the words that it has here; `now` is what the store found of it."""
        terms = frozenset(index_terms(_searched(entry)))
        covered = sum(weight for term, weight in self._weights.items() if term in terms) / self._all
        base = now or Candidate("", "", None, "", "", 0.0, 0.0, 0.0)
        return replace(
            base,
            id=entry.id,
            kind=entry.kind.value,
            project=entry.scope.project,
            status=entry.status.value,
            strength=entry.strength.value,
            confidence=entry.confidence,
            importance=entry.importance,
            asserted_at=entry.times.asserted_at.timestamp(),
            agent=entry.scope.agent,
            lexical=covered * ONCE,
            weight=covered * ONCE * self._rarest,
            usual=self._usual,
            coverage=covered,
            matched={},
            length=len(entry.content),
            words=" ".join(terms),
            applies_when={name: list(values) for name, values in entry.applies_when.items()},
        )


def _searched(entry: MemoryEntry) -> str:
    lesson = entry.lesson.model_dump().values()
    return "\n".join(text for text in (entry.content, *lesson, *entry.tags, *entry.topics) if text)
