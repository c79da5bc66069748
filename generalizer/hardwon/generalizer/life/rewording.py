"""Refine: a rule whose lessons have grown since it was accepted, and which they now word better.

The user's own words are never bettered. The catalogue's sentence is taken where the lessons agree on a cause of which
the rule does not speak in the catalogue's words; a lesson's own principle where it lies nearer to all the lessons than
the rule does, by a margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.generalizer.continuity import GROWTH
from hardwon.generalizer.life.drafts import Draft
from hardwon.generalizer.wording import Leading, choose_wording
from hardwon.kernel.decision_order import standing
from hardwon.kernel.plain_words import plain_words
from hardwon.kernel.proposal import Action, ProposalKind
from hardwon.kernel.text import language_of

if TYPE_CHECKING:
    from hardwon.generalizer.catalogue import Concept
    from hardwon.generalizer.life.looked_at import LookedAt
    from hardwon.generalizer.wording import Wording
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision

NEARER = 0.05
"""By how much another principle must be nearer to the lessons than the rule's own words."""


def refinement(
    looked: LookedAt, place: int, concepts: Sequence[Concept], decisions: Sequence[Decision]
) -> Draft | None:
    """Return better words for a rule; None where its own are as good, or the user's."""
    rows = looked.rules[place]
    rule, lessons = rows.backing.rule, rows.backing.lessons
    grown = _grown(rule, lessons, decisions)
    if len(grown) < GROWTH:
        return None
    concept, share = looked.leading[place]
    meanings = looked.evidence.meanings
    own = None if meanings is None else meanings[list(rows.lessons)]
    # Its own language: below its sentence a rule has the same in others.
    spoken = language_of(rule.lesson.principle or rule.content)
    wording = choose_wording(list(lessons), Leading(concepts[concept], share), own, spoken)
    if not wording.rule or _says(rule, wording.rule) or not _is_better(looked, place, wording):
        return None
    return Draft(
        kind=ProposalKind.REFINE,
        targets=(rule,),
        rule=wording.rule,
        rationale=(
            f"{len(grown)} lessons came to it since it was accepted. "
            + (
                f"All of them tell of one cause ({share:.0%} of belief), and the sentence is the catalogue's principle."
                if wording.source == "catalogue"
                else "The sentence is the principle of one of them, and is nearer to all of them than the present one."
            )
        ),
        evidence=frozenset(each.id for each in grown),
        confidence=round(share, 3),
        confidence_parts={"agreement": round(share, 3)},
        suggested=Action.ACCEPT,
        instances=lessons,
        against=rows.backing.against,
        translations=wording.translations,
        situation=wording.situation or rule.lesson.situation or "",
        topic=concepts[concept].topic if wording.source == "catalogue" else "",
    )


def _grown(rule: MemoryEntry, lessons: Sequence[MemoryEntry], decisions: Sequence[Decision]) -> list[MemoryEntry]:
    """Return the lessons that came since the rule was accepted; none where its words are the user's own."""
    born = [
        each for each in standing(decisions) if each.rule == rule.id and each.action in (Action.ACCEPT, Action.REWRITE)
    ]
    if not born or any(each.action == Action.REWRITE for each in born):
        return []
    if plain_words(born[0].after.split("\n")[0]) not in plain_words(rule.content):
        # It was edited by hand since.
        return []
    return [lesson for lesson in lessons if lesson.id not in born[-1].revisions]


def _says(rule: MemoryEntry, words: str) -> bool:
    return plain_words(words) in plain_words(rule.content)


def _is_better(looked: LookedAt, place: int, wording: Wording) -> bool:
    """Tell whether the words are the catalogue's, or nearer to the lessons than the rule's."""
    if wording.source == "catalogue":
        return True
    rows = looked.rules[place]
    same = [row for row in rows.lessons if (looked.entries[row].lesson.principle or "").strip() == wording.rule]
    if not same or looked.evidence.meanings is None:
        return False
    others = [row for row in rows.lessons if row not in same]
    similar = looked.evidence.similar([rows.own, same[0]], others) if others else None
    return similar is not None and float(similar[1].mean() - similar[0].mean()) >= NEARER
