"""Finds what a person teaches in their own words: statements, corrections, prohibitions, objections, wishes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.evidence import evidence_of
from hardwon.generalizer.extraction.features import features
from hardwon.generalizer.extraction.gate import STATED, refusal
from hardwon.generalizer.extraction.judgement import likelihood
from hardwon.generalizer.extraction.kinds import kind_of
from hardwon.generalizer.extraction.lesson_parts import parts_of
from hardwon.generalizer.extraction.typed import Typed, typed_sentences
from hardwon.generalizer.extraction.wording import content_of
from hardwon.kernel.session import Turn

WORTH_A_LOOK = 0.35
"""Likelihood from which a sentence is kept at all, be it refused."""


def corrections(turns: Sequence[Turn], turn: int) -> list[Candidate]:
    """Return what a person taught in a turn, the likeliest first, and what of their words is refused.

    All that they asked to remember passes; of the rest, the best of a message.
    """
    chosen: list[Candidate] = []
    messages: set[int] = set()
    for candidate, typed in sorted(_weigh(turns, turn), key=lambda each: -each[0].confidence):
        if candidate.refused or candidate.confidence >= STATED or typed.message not in messages:
            chosen.append(candidate)
        if not candidate.refused:
            messages.add(typed.message)
    return chosen


def _weigh(turns: Sequence[Turn], turn: int) -> list[tuple[Candidate, Typed]]:
    found = []
    for typed in typed_sentences(turns, turn):
        signs = features(typed)
        stated = signs["stated"] and not signs["question"] and _is_own(typed, signs)
        confidence = STATED if stated else likelihood(signs)
        if confidence >= WORTH_A_LOOK:
            found.append((_candidate(typed, signs, confidence), typed))
    return found


def _is_own(typed: Typed, signs: Mapping[str, float]) -> bool:
    """Tell whether a statement is the person's: around what is pasted, people speak first and last."""
    outside = typed.passage.position in (0, typed.passage.of - 1)
    return not typed.passage.pasted and (not signs["message_pasted"] or outside)


def _candidate(typed: Typed, signs: Mapping[str, float], confidence: float) -> Candidate:
    kind = kind_of(signs)
    return Candidate(
        turn=typed.turn,
        message=typed.said,
        kind=kind,
        content=content_of(typed),
        evidence=evidence_of(typed),
        confidence=confidence,
        lesson=parts_of(typed.passage.text, kind, signs),
        refused=refusal(typed, signs, confidence),
    )
