"""Finds what a person teaches in their own words: statements, corrections, prohibitions, objections, wishes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.evidence import evidence_of
from hardwon.generalizer.extraction.features import features
from hardwon.generalizer.extraction.gate import STATED, refusal
from hardwon.generalizer.extraction.judgement import typed_likelihood
from hardwon.generalizer.extraction.kinds import kind_of
from hardwon.generalizer.extraction.lesson_parts import parts_of
from hardwon.generalizer.extraction.typed import Typed, typed_sentences
from hardwon.generalizer.extraction.wording import content_of
from hardwon.kernel.session import Turn

WORTH_A_LOOK = 0.35
"""Likelihood from which a sentence is kept at all, be it refused."""


def corrections(turns: Sequence[Turn], turn: int) -> list[Candidate]:
    """Return what a person taught in a turn, the likeliest first, and what of their words is refused.

    All that they asked to remember passes; of the rest, the best of a message. What stands in the evidence of another
    belongs to it: one thing taught is one candidate.
    """
    chosen: list[Candidate] = []
    evidence: dict[int, str] = {}
    taught: set[int] = set()
    for candidate, typed in sorted(_weigh(turns, turn), key=_rank):
        if typed.passage.text in evidence.get(typed.message, ""):
            continue
        if candidate.refused or candidate.confidence >= STATED or typed.message not in taught:
            chosen.append(candidate)
            evidence[typed.message] = f"{evidence.get(typed.message, '')}\n{candidate.evidence}"
        if not candidate.refused:
            taught.add(typed.message)
    return chosen


def _rank(weighed: tuple[Candidate, Typed]) -> tuple[bool, float]:
    """Put what passes first, and of that the likeliest."""
    return weighed[0].refused is not None, -weighed[0].confidence


def _weigh(turns: Sequence[Turn], turn: int) -> list[tuple[Candidate, Typed]]:
    found = []
    for typed in typed_sentences(turns, turn):
        signs = features(typed)
        stated = signs["stated"] and not signs["question"] and _is_own(typed, signs)
        confidence = STATED if stated else typed_likelihood(signs)
        if confidence >= WORTH_A_LOOK:
            found.append((_candidate(typed, signs, confidence), typed))
    return found


def _is_own(typed: Typed, signs: Mapping[str, float]) -> bool:
    """Tell whether a statement is the person's: around what is pasted, people speak first and last."""
    outside = typed.passage.position in (0, typed.passage.of - 1)
    return not typed.passage.pasted and (not signs["message_pasted"] or outside)


def _candidate(typed: Typed, signs: Mapping[str, float], confidence: float) -> Candidate:
    evidence = evidence_of(typed)
    return Candidate(
        turn=typed.turn,
        message=typed.said,
        kind=kind_of(signs),
        content=content_of(typed),
        evidence=evidence,
        confidence=confidence,
        lesson=parts_of(evidence if confidence >= STATED else typed.passage.text, signs),
        refused=refusal(typed, signs, confidence),
    )
