"""ModelExtractor: what the offline extractor finds, and what the user's language model finds beyond it.

The model reads a session once, when it has ended. What was found offline stays as it was found, so that what was kept
while the session went on is known again; the model fills in its parts. What the model finds must stand in the words of
a message, and passes the same gates: not pasted, not quoted, not overturned, not said before. Where the model gives no
answer, the offline way stands alone, and the activity says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.gate import is_a_doubt
from hardwon.generalizer.extraction.offline import OfflineExtractor, of_turn, settle
from hardwon.generalizer.extraction.passages import passages
from hardwon.generalizer.model_tasks.sessions import Found, read_session
from hardwon.kernel.memory import Lesson
from hardwon.kernel.session import Speaker
from hardwon.kernel.use_cases.projects import closed_among, load_projects
from hardwon.kernel.use_cases.session_places import SessionPlaces

if TYPE_CHECKING:
    from hardwon.kernel.extraction import Extract
    from hardwon.kernel.home import Home
    from hardwon.kernel.session import Turn

TYPED, TOLD = 0.7, 0.55
"""Confidence of what a person said, and of what the agent found, where the model took it."""
NOT_OWN = "It stands in what was pasted or quoted, not in somebody's own words."


class ModelExtractor:
    """An Extractor over the home's language model."""

    def __init__(self, home: Home) -> None:
        self._home = home

    @property
    def name(self) -> str:
        """Return the name by which the settings call it."""
        return "model"

    @cached_property
    def _places(self) -> SessionPlaces:
        return SessionPlaces(self._home)

    def extract(self, turns: Sequence[Turn], *, ended: bool) -> list[Extract]:
        """Return what one session's turns hold, in their order; what did not pass says why."""
        session = tuple(turns)
        found = read_session(self._home, session) if ended and self._may_be_shown(session) else None
        if found is None:
            return OfflineExtractor().extract(session, ended=ended)
        settled: list[Candidate] = []
        for turn in range(len(session)):
            own = of_turn(session, turn, ended=ended)
            for candidate in _joined(own, [each for each in found if each.said.turn == turn]):
                settle(settled, candidate)
        return [candidate.extract(session) for candidate in settled]

    def _may_be_shown(self, session: Sequence[Turn]) -> bool:
        """Tell whether a session may leave the machine: not that of a project that is kept out of rules."""
        home = self._home
        if home.language_model is None or not session or not home.exists:
            return False
        projects = [self._places.of_turn(turn).project for turn in session]
        return not closed_among(home, load_projects(home), projects)


def _joined(own: list[Candidate], found: Sequence[Found]) -> list[Candidate]:
    """Return a turn's candidates with what the model found: parts for those that pass, words for doubts, and more."""
    joined = list(own)
    for each in found:
        same = next((place for place, old in enumerate(joined) if _are_one(old, each)), None)
        if same is None:
            joined.append(_candidate(each))
        elif joined[same].refused is None:
            joined[same] = replace(joined[same], lesson=_filled(joined[same].lesson, each.lesson))
        elif is_a_doubt(joined[same].refused or ""):
            joined[same] = _candidate(each)
    return joined


def _are_one(candidate: Candidate, found: Found) -> bool:
    """Tell whether both rest on the same words."""
    one, other = candidate.evidence, found.evidence
    return candidate.message.id == found.said.message.id and (one in other or other in one)


def _candidate(found: Found) -> Candidate:
    """Return what the model found as a candidate; refused where nobody said it in their own words."""
    message = found.said.message
    candidate = Candidate(
        turn=found.said.turn,
        message=message,
        kind=found.kind,
        content=found.content,
        evidence=found.evidence,
        confidence=TYPED if message.by is Speaker.USER else TOLD,
        lesson=found.lesson,
    )
    return candidate if _is_own(found) else candidate.refuse(NOT_OWN)


def _is_own(found: Found) -> bool:
    """Tell whether a part of the evidence is a sentence that somebody may have typed."""
    said = [each for each in passages(found.said.message.text) if not each.pasted]
    return any(each.text in found.evidence or found.evidence in each.text for each in said)


def _filled(lesson: Lesson, by_model: Lesson) -> Lesson:
    """Return the parts that are known, and the model's where none is."""
    parts = {name: getattr(lesson, name) or text for name, text in by_model.model_dump().items()}
    return Lesson(**parts)
