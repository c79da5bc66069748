"""OfflineExtractor: finds what a session taught without a language model.

Four finders look at each turn (corrections, choices, claims, failures); the session as a whole decides what of it was
said before, or taken back later. What a person typed is judged by its own turn alone, so that it does not change as the
session goes on; only what the agent claims waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.choices import choices
from hardwon.generalizer.extraction.claims import claims
from hardwon.generalizer.extraction.corrections import corrections
from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.failures import failures
from hardwon.generalizer.extraction.gate import STATED
from hardwon.generalizer.extraction.phrasing import distinct_terms
from hardwon.kernel.extraction import Extract
from hardwon.kernel.memory import Kind
from hardwon.kernel.session import Turn

MOST_IN_A_TURN, MOST_STATED_IN_A_TURN = 2, 8
"""Extracts of one turn that pass: by what somebody lets slip, and of what they ask outright to remember."""
SAME, SAME_STATEMENT = 0.6, 0.9
"""Share of the shorter one's terms from which two say the same; of two statements, which people word alike."""
TELLING = 4
"""Terms from which the words themselves say what they are about."""
ABOUT_THE_SAME, FEWEST_COMMON = 0.3, 2
"""Share, and number, of common terms from which a statement that takes something back is about an earlier one."""

EXPLAINED = "It tells of a trouble, and the agent's finding says what it was."


class OfflineExtractor:
    """An Extractor by cues with weights, in English and Chinese."""

    @property
    def name(self) -> str:
        """Return the name by which the settings call it."""
        return "offline"

    def extract(self, turns: Sequence[Turn], *, ended: bool) -> list[Extract]:
        """Return what one session's turns hold, in their order; what did not pass says why."""
        session = tuple(turns)
        found: list[Candidate] = []
        for turn in range(len(session)):
            for candidate in of_turn(session, turn, ended=ended):
                settle(found, candidate)
        return [candidate.extract(session) for candidate in found]


def of_turn(turns: tuple[Turn, ...], turn: int, *, ended: bool) -> list[Candidate]:
    """Return a turn's candidates, the surest first; what passes beyond the most that a turn may teach is left out."""
    chosen = choices(turns, turn)
    answered = {each.message.id for each in chosen}
    said = [each for each in corrections(turns, turn) if each.message.id not in answered]
    explained = claims(turns, turn, ended=ended)
    if any(each.refused is None for each in explained):
        said = [
            each.refuse(EXPLAINED) if each.kind is Kind.LESSON and each.confidence < STATED else each for each in said
        ]
    every = sorted([*chosen, *said, *explained, *failures(turns, turn)], key=lambda each: -each.confidence)
    passed = [each for each in every if each.refused is None]
    stated = [each for each in passed if each.confidence >= STATED][:MOST_STATED_IN_A_TURN]
    others = [each for each in passed if each.confidence < STATED][: max(0, MOST_IN_A_TURN - len(stated))]
    return stated + others + [each for each in every if each.refused is not None]


def settle(found: list[Candidate], new: Candidate) -> None:
    """Add a candidate to those of the session: said before, it is refused; where it takes one back, that one is."""
    if new.refused is None:
        same = SAME_STATEMENT if new.confidence >= STATED else SAME
        takes_back = typed_as("takes_back", new.evidence)
        for index, old in enumerate(found):
            if old.refused is not None:
                continue
            if takes_back and _are_about_the_same(old, new):
                found[index] = replace(old, refused="It was taken back later in the session.")
            elif _share(old, new) >= same:
                new = new.refuse("It was said before in this session.")
    found.append(new)


def _are_about_the_same(first: Candidate, second: Candidate) -> bool:
    """Tell whether two candidates speak of one thing, be it to say the opposite of it."""
    one, other = distinct_terms(first.evidence), distinct_terms(second.evidence)
    return len(one & other) >= max(FEWEST_COMMON, ABOUT_THE_SAME * min(len(one), len(other)))


def _share(first: Candidate, second: Candidate) -> float:
    """Return how much two candidates say the same, 0–1; of a few words, whether they are the very same."""
    one, other = distinct_terms(first.about or first.evidence), distinct_terms(second.about or second.evidence)
    fewer = min(len(one), len(other))
    if fewer < TELLING:
        return float(bool(fewer) and one == other)
    return len(one & other) / fewer
