"""Merge and split: two rules that say one thing, and a rule whose lessons tell of two causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from hardwon.generalizer.life.drafts import Draft
from hardwon.generalizer.life.looked_at import nearness
from hardwon.generalizer.wording import Leading, choose_wording, main_language
from hardwon.kernel.plain_words import plain_words
from hardwon.kernel.proposal import Action, Part, ProposalKind

if TYPE_CHECKING:
    from hardwon.generalizer.catalogue import Concept
    from hardwon.generalizer.life.looked_at import LookedAt, RuleRows

AGREED = 0.5
"""Belief in one cause from which lessons are taken to be about it."""
AS_NEAR = 0.8
"""How near the lessons of two rules must be to each other, as a share of what each rule's are among themselves."""
SAME_WORDS = 0.6
"""The similarity of two rules' words from which they may say one thing."""
APART = 0.5
"""How far the lessons of two causes must be from each other, as a share of what each cause's are among themselves."""


def merges(looked: LookedAt) -> Iterator[Draft]:
    """Walk the pairs of rules that say one thing where both hold."""
    said = [plain_words(_words(rule)) for rule in looked.rules]
    for one, other in combinations(range(len(looked.rules)), 2):
        first, second = looked.rules[one], looked.rules[other]
        if first.backing.rule.scope != second.backing.rule.scope:
            continue
        sure = 1.0 if said[one] == said[other] else _one_thing(looked, one, other)
        if sure:
            yield _merge(first, second, sure)


def _one_thing(looked: LookedAt, one: int, other: int) -> float:
    """Return how surely two rules in different words say one thing, 0–1; 0: they do not.

    What is cheap is asked first: there are as many pairs as the square of the rules.
    """
    (cause, share), (other_cause, other_share) = looked.leading[one], looked.leading[other]
    if cause != other_cause or min(share, other_share) < AGREED:
        return 0.0
    first, second = looked.rules[one], looked.rules[other]
    words = float(looked.evidence.similar([first.own], [second.own])[0, 0])
    if words < SAME_WORDS:
        return 0.0
    there = float(nearness(looked.evidence, first.lessons, second.lessons).mean())
    back = float(nearness(looked.evidence, second.lessons, first.lessons).mean())
    as_near = min(there, back) >= AS_NEAR * max(looked.cohesion[one], looked.cohesion[other])
    return min(1.0, words) if as_near else 0.0


def _merge(first: RuleRows, second: RuleRows, sure: float) -> Draft:
    """Return the one rule, in the words of that which more lessons stand behind."""
    kept, other = sorted((first, second), key=lambda each: (-len(each.lessons), each.backing.rule.id))
    lessons = {each.id: each for rows in (kept, other) for each in rows.backing.lessons}
    against = {each.id: each for rows in (kept, other) for each in rows.backing.against}
    paragraphs = kept.backing.rule.content.split("\n\n")
    return Draft(
        kind=ProposalKind.MERGE,
        targets=(kept.backing.rule, other.backing.rule),
        rule=_words(kept),
        rationale=(
            f"Two rules say one thing. The other one: “{_words(other)}”. One rule would stand in the place of both, "
            f"with the {len(lessons)} lessons of both."
        ),
        evidence=frozenset(lessons),
        confidence=round(sure, 3),
        confidence_parts={"likeness": round(sure, 3)},
        suggested=Action.ACCEPT,
        instances=tuple(lessons.values()),
        against=tuple(against.values()),
        translations={_language(text): text for text in paragraphs[1:]},
        situation=kept.backing.rule.lesson.situation or other.backing.rule.lesson.situation or "",
    )


def split(looked: LookedAt, place: int, concepts: Sequence[Concept], minimum: int, language: str) -> Draft | None:
    """Return a rule a cause, where a rule's lessons plainly tell of two; None where they do not."""
    rows = looked.rules[place]
    groups = _two_causes(looked, rows, minimum)
    if groups is None:
        return None
    parts = tuple(_part(looked, group, concepts, language) for group in groups)
    if not all(part.rule for part in parts) or plain_words(parts[0].rule) == plain_words(parts[1].rule):
        return None
    rule = rows.backing.rule
    shares = [float(looked.evidence.beliefs[list(group)].mean(axis=0).max()) for group in groups]
    return Draft(
        kind=ProposalKind.SPLIT,
        targets=(rule,),
        rule=_words(rows),
        rationale=(
            f"Its lessons tell of two causes: {len(groups[0])} of one and {len(groups[1])} of the other. A rule for "
            "each would stand in its place."
        ),
        evidence=frozenset(each.id for each in rows.backing.lessons),
        confidence=round(min(shares), 3),
        confidence_parts={"first": round(shares[0], 3), "second": round(shares[1], 3)},
        suggested=Action.ACCEPT,
        instances=rows.backing.lessons,
        against=rows.backing.against,
        parts=parts,
    )


def _two_causes(looked: LookedAt, rows: RuleRows, minimum: int) -> tuple[list[int], list[int]] | None:
    """Return the lessons by cause, where all but a few are sure of one of two and the two lie apart."""
    beliefs = looked.evidence.beliefs[list(rows.lessons)]
    by_cause: dict[int, list[int]] = {}
    for row, own in zip(rows.lessons, beliefs, strict=True):
        if own.max() >= AGREED:
            by_cause.setdefault(int(own.argmax()), []).append(row)
    largest = sorted(by_cause.values(), key=lambda group: (-len(group), group))[:2]
    if len(largest) < 2 or len(largest[1]) < minimum:
        return None
    first, second = (list(group) for group in largest)
    inside = min(_mean(looked, first, first), _mean(looked, second, second))
    if _mean(looked, first, second) > APART * inside:
        return None
    for row in [row for row in rows.lessons if row not in (*first, *second)]:
        nearer = first if _mean(looked, [row], first) >= _mean(looked, [row], second) else second
        nearer.append(row)
    return first, second


def _mean(looked: LookedAt, one: Sequence[int], other: Sequence[int]) -> float:
    pairs = sum(a != b for a in one for b in other)
    return float(looked.evidence.similar(one, other).sum()) / max(1, pairs)


def _part(looked: LookedAt, group: Sequence[int], concepts: Sequence[Concept], language: str) -> Part:
    mean = looked.evidence.beliefs[list(group)].mean(axis=0)
    leading = Leading(concepts[int(mean.argmax())], float(mean.max()))
    lessons = [looked.entries[row] for row in group]
    meanings = None if looked.evidence.meanings is None else looked.evidence.meanings[list(group)]
    wording = choose_wording(lessons, leading, meanings, main_language(lessons, language))
    return Part(
        rule=wording.rule,
        translations=wording.translations,
        topic=leading.concept.topic if wording.source == "catalogue" else "",
        instances=tuple(lesson.id for lesson in lessons),
    )


def _words(rows: RuleRows) -> str:
    rule = rows.backing.rule
    return (rule.lesson.principle or rule.content).strip()


def _language(text: str) -> str:
    from hardwon.kernel.text import language_of

    return language_of(text)
