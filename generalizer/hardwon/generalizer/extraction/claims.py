"""Finds what the agent says was the cause of a trouble.

A confident cause is often overturned a turn or two later, so that it is held back until the person confirms it, or
until the session ends and nobody has overturned it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.cues import claimed_as, typed_as
from hardwon.generalizer.extraction.explanations import explains
from hardwon.generalizer.extraction.failures import error_line, is_command
from hardwon.generalizer.extraction.passages import LONGEST_READ, Passage, length, passages
from hardwon.generalizer.extraction.wording import is_chinese, one_line
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.kernel.text import query_terms

ENOUGH = 2.3
"""Sum of the signs from which a claim is taken."""
TOLD_BY_PERSON, TOLD_BY_TOOL = 0.6, 0.2
"""What it adds to a claim that there was a trouble to explain."""
SHORT_REPLY = 6
"""Words up to which a typed turn goes on with what the one before was about."""
LONGEST_ANNOUNCEMENT = 7
"""Words of a sentence that only says that the cause is found."""
TURNS_TO_OVERTURN = 2
"""Turns after the claim in which it is usually overturned, if ever."""
SHARED_TERMS = 2
"""Terms by which a complaint that does not follow at once is known to be about the claim."""
HELD, CONFIRMED = 0.55, 0.75
"""Confidence."""


class _Fate(Enum):
    OVERTURNED = "overturned"
    CONFIRMED = "confirmed"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class _Told:
    """What was said around a claim."""

    trouble: str
    """What went wrong, in the person's words or the command's."""
    more: str
    """Another sentence of the agent's that explains it."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A sentence of the agent's, and where it stands."""

    place: int
    """Which message of the turn."""
    said: Sequence[Passage]
    number: int
    """Which sentence of the message."""
    weight: float

    @property
    def cause(self) -> str:
        return self.said[self.number].text

    @property
    def following(self) -> str:
        return self.said[self.number + 1].text if self.number + 1 < len(self.said) else ""


def claims(turns: Sequence[Turn], turn: int, *, ended: bool) -> list[Candidate]:
    """Return the best claim of a turn about a cause, if it is due; an overturned one is refused."""
    trouble, weight = _trouble(turns, turn)
    found = sorted(_weighed(turns[turn]), key=lambda each: (-each.weight, -each.place))
    if not found or found[0].weight + weight < ENOUGH:
        return []
    best = found[0]
    fate = _fate(turns, turn, best)
    if fate is _Fate.OPEN and not ended and len(turns) <= turn + TURNS_TO_OVERTURN:
        return []
    more = next((each.cause for each in found[1:] if each.place != best.place), "") or best.following
    confidence = CONFIRMED if fate is _Fate.CONFIRMED else HELD
    candidate = _candidate(turns[turn], turn, best, _Told(trouble, more), confidence)
    return [candidate.refuse("It was overturned later in the session.") if fate is _Fate.OVERTURNED else candidate]


def _trouble(turns: Sequence[Turn], turn: int) -> tuple[str, float]:
    """Return what went wrong in a turn, and how much it speaks for a claim: a person's words, or a failed command."""
    if told := _told_by_person(turns[turn]):
        return told, TOLD_BY_PERSON
    goes_on = turn and sum(length(message.text[:500]) for message in turns[turn].typed) <= SHORT_REPLY
    if goes_on and (told := _told_by_person(turns[turn - 1])):
        return told, TOLD_BY_PERSON
    if objection := _granted(turns[turn]):
        return objection, TOLD_BY_PERSON
    for call in turns[turn].messages:
        if call.by is Speaker.TOOL and call.failed and is_command(call):
            return error_line(call.text), TOLD_BY_TOOL
    return "", 0.0


def _granted(turn: Turn) -> str:
    """Return the objection of a person's that the agent granted at once: it was about something wrong, then."""
    for message, answer in pairwise(turn.messages):
        if message.by is Speaker.USER and answer.by is Speaker.AGENT and claimed_as("conceded", answer.text[:100]):
            for passage in passages(message.text):
                if any(typed_as(cue, passage.text) for cue in ("critique", "correction", "done_wrong")):
                    return passage.text
    return ""


def _told_by_person(turn: Turn) -> str:
    for message in turn.typed:
        for passage in passages(message.text):
            if typed_as("trouble", passage.text):
                return passage.text if length(passage.text) > SHORT_REPLY else message.text.strip()
        if typed_as("trouble", message.text[:LONGEST_READ]):
            return message.text.strip().splitlines()[0]
    return ""


def _weighed(turn: Turn) -> Iterator[_Claim]:
    """Walk the sentences of the agent's that speak of a cause; of an announcement, the sentence that it announces."""
    mended_until = max((place for place, each in enumerate(turn.messages) if _mends(each)), default=-1)
    last = max((place for place, each in enumerate(turn.messages) if each.by is Speaker.AGENT), default=-1)
    for place, message in enumerate(turn.messages):
        if message.by is Speaker.AGENT:
            said = passages(message.text)
            for number, passage in enumerate(said):
                weight = explains(passage.text) + 0.8 * (place <= mended_until) + 0.1 * (place == last)
                if weight > 1 and _announces(passage.text) and number + 1 < len(said):
                    yield _Claim(place, said, number + 1, weight + explains(said[number + 1].text))
                elif weight > 1:
                    yield _Claim(place, said, number, weight)


def _announces(sentence: str) -> bool:
    """Tell whether a sentence says that the cause is found, and leaves it to the next to say which."""
    ends = sentence.endswith(("!", ":", ".", "：", "。", "！"))
    return ends and length(sentence) <= LONGEST_ANNOUNCEMENT and not claimed_as("because", sentence)


def _is_heading(sentence: str) -> bool:
    """Tell whether a sentence says nothing without what follows it."""
    return length(sentence) <= 3 or sentence.endswith((":", "："))


def _mends(message: Message) -> bool:
    return message.by is Speaker.AGENT and claimed_as("fixed", message.text[:LONGEST_READ])


def _fate(turns: Sequence[Turn], turn: int, claim: _Claim) -> _Fate:
    """Return what the person said to the claim in the turns in which it would be overturned."""
    about = set(query_terms(claim.cause))
    for distance, later in enumerate(turns[turn + 1 : turn + 1 + TURNS_TO_OVERTURN]):
        typed = " ".join(message.text[:300] for message in later.typed)[:300]
        agent = next((each.text[:300] for each in later.messages if each.by is Speaker.AGENT), "")
        of_this = distance == 0 or len(about & set(query_terms(f"{typed} {agent}"))) >= SHARED_TERMS
        troubled = typed_as("trouble", typed)
        taken_back = claimed_as("overturned", typed) or (troubled and claimed_as("overturned", agent))
        if of_this and taken_back:
            return _Fate.OVERTURNED
        if claimed_as("confirmed", typed) and not troubled:
            return _Fate.CONFIRMED
    return _Fate.OPEN


def _candidate(turn: Turn, number: int, claim: _Claim, told: _Told, confidence: float) -> Candidate:
    fix = _fix_after(turn, claim)
    return Candidate(
        turn=number,
        message=turn.messages[claim.place],
        kind=Kind.LESSON,
        content=_content(claim.cause, fix, told),
        evidence=claim.cause,
        confidence=confidence,
        lesson=Lesson(situation=one_line(told.trouble) or None, cause=one_line(claim.cause, 300), fix=fix or None),
    )


def _fix_after(turn: Turn, claim: _Claim) -> str:
    """Return the first sentence after the claim that says what was done about it."""
    rest = [*claim.said[claim.number + 1 :]]
    for message in turn.messages[claim.place + 1 :]:
        if message.by is Speaker.AGENT:
            rest += passages(message.text)
    told = (each.text for each in rest if claimed_as("mending", each.text) and not _is_heading(each.text))
    return one_line(next(told, ""), 200)


def _content(cause: str, fix: str, told: _Told) -> str:
    """Return symptom, cause, fix and what else explains it, the most telling first."""
    chinese = is_chinese(cause)
    parts = [one_line(cause, 220)]
    if told.trouble:
        trouble = one_line(told.trouble, 120).rstrip(" .:!")
        parts.insert(0, f"{trouble}——" if chinese else f"{trouble} -")
    if fix:
        parts.append(f"处理：{one_line(fix, 140)}" if chinese else f"What was done: {one_line(fix, 140)}")
    if told.more and one_line(told.more, 200) != fix:
        parts.append(one_line(told.more, 140))
    return ("" if chinese else " ").join(parts)
