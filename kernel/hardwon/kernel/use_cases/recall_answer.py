"""From ranked candidates to what is shown: heads for superseded memories, rules with their lessons, in a budget.

No pydantic and no store: the hook program answers by the same steps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic

from hardwon.kernel.ranking import Ranked, Situation, applies, cut, tokens_of
from hardwon.kernel.use_cases.recall_links import E, Entry, Links, Shelf

RULE = "rule"
AGAINST, INSTANCE = "against", "instance"
INSTANCES = 3
"""Lessons that a shown rule brings at most, and rules that a lesson brings."""


@dataclass(frozen=True, slots=True)
class Hit(Generic[E]):
    """One memory that is shown."""

    entry: E
    score: float
    parts: dict[str, float]
    via: str
    """direct, rule (brought by its lesson), instance (brought by its rule), against, supersedes, mount."""
    of: str | None = None
    """The memory that brought it; None for one that was found itself."""
    against: str | None = None
    """A memory shown before it, which it speaks against: the rule that it is an exception of, the other side."""


class Answer(Generic[E]):
    """Builds the hits of one question: those found, best first, then those that they bring."""

    def __init__(
        self,
        shelf: Shelf[E],
        ranked: Sequence[Ranked],
        limit: int,
        budget: int,
        *,
        situation: Situation,
        known: Collection[str] = (),
        beside: int = 0,
        strict: bool = False,
    ) -> None:
        """Take what was found for a reader; `known` are memories that they have before them already, by id.

        What `beside` and `strict` are, `cut` says.
        """
        self._shelf = shelf
        self._links = Links(shelf)
        self._limit = limit
        self._budget = budget
        self._beside = beside
        self._known = known
        self._situation = situation
        self.ranked = self._folded(list(ranked))
        self.tokens = cut(self.ranked, limit, budget, beside=beside, strict=strict)
        self.hits = self._found()
        found = list(self.hits)
        for hit in found:
            self._add(self._shelf.visible(self._links.against(hit.entry.id)), AGAINST, hit)
        for hit in found:
            self._bring(hit)

    def _folded(self, ranked: list[Ranked]) -> list[Ranked]:
        """Replace what is superseded and put lessons below a rule that stands above them, as far as is shown."""
        result: list[Ranked] = []
        shown: set[str] = set()
        for place, each in enumerate(ranked):
            if len(shown) >= self._limit:
                return result + ranked[place:]
            result.append(each)
            if each.hidden is not None:
                continue
            id = each.candidate.id
            if id in self._known:
                each.hidden = "it was shown before in this session"
                continue
            rule = next((rule for rule in self._links.rules_of(id) if rule in shown), None)
            if id in shown:
                each.hidden = "it is shown already"
            elif rule is not None:
                each.hidden = f"it stands below its rule {rule}"
            elif head := self._links.head_of(id):
                each.hidden = f"it is superseded by {head.id}"
                if head.id not in shown and head.id not in self._known:
                    result.append(_standing_in(each, head))
                    shown.add(head.id)
            elif self._links.is_over(id):
                each.hidden = "it is superseded by one that is over as well"
            else:
                shown.add(id)
        return result

    def _found(self) -> list[Hit[E]]:
        shown = [each for each in self.ranked if each.hidden is None]
        entries = self._shelf.get([each.candidate.id for each in shown])
        hits: dict[str, Hit[E]] = {}
        for each in shown:
            entry = entries.get(each.candidate.id)
            if entry is None:
                each.hidden = "it was forgotten a moment ago"
                continue
            against = next((id for id in self._links.against(entry.id) if id in hits), None)
            hits[entry.id] = Hit(entry, each.score, each.parts, each.candidate.via, against=against)
        return list(hits.values())

    def _bring(self, hit: Hit[E]) -> None:
        """Add the lessons of a rule, those that answer the question before others, or the rules of a lesson."""
        if hit.entry.kind != RULE:
            rules = self._shelf.visible(self._links.rules_of(hit.entry.id))
            self._add(rules, "rule", hit)
            return
        answering = [id for each in self.ranked if each.candidate.id == hit.entry.id for id in _by_evidence(each)]
        lessons = list(dict.fromkeys([*answering, *self._links.lessons_of(hit.entry.id)]))
        entries = self._shelf.standing(lessons)
        self._add([entries[id] for id in lessons if id in entries], INSTANCE, hit)

    def _add(self, entries: Sequence[E], via: str, bringer: Hit[E]) -> None:
        known = {hit.entry.id for hit in self.hits} | set(self._known)
        fresh = [entry for entry in entries if entry.id not in known]
        for entry in [entry for entry in fresh if self._holds(entry, via)][:INSTANCES]:
            cost = tokens_of(entry.content) + self._beside
            if self.tokens + cost <= self._budget:
                self.tokens += cost
                against = bringer.entry.id if via == AGAINST else None
                self.hits.append(Hit(entry, bringer.score, {}, via, bringer.entry.id, against))

    def _holds(self, entry: E, via: str) -> bool:
        """Tell whether what is brought holds for this reader; a lesson is the proof of its rule wherever that holds."""
        return via == INSTANCE or applies(entry.applies_when, self._situation)[1] is None


def _standing_in(each: Ranked, head: Entry) -> Ranked:
    candidate = each.candidate.standing_in(head.id, head.kind, len(head.content))
    return Ranked(candidate, each.score, dict(each.parts))


def _by_evidence(rule: Ranked) -> list[str]:
    members = sorted(rule.candidate.members, key=lambda member: (-(member.level or 0.0), -member.lexical, member.id))
    return [member.id for member in members]
