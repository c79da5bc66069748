"""Finds what the agent found out: most often the cause of a trouble, or a limit that it met.

A confident finding is often overturned a turn or two later, so that it is held back until the person confirms it, or
until the session ends and nobody has overturned it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.cues import claimed_as, typed_as
from hardwon.generalizer.extraction.failures import error_line, is_command
from hardwon.generalizer.extraction.judgement import told_likelihood
from hardwon.generalizer.extraction.passages import LONGEST_READ, length, passages
from hardwon.generalizer.extraction.phrasing import distinct_terms, is_chinese, one_line
from hardwon.generalizer.extraction.told import Told, told_features, told_sentences
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.session import Speaker, Turn

ENOUGH, ALSO = 0.65, 0.2
"""Likelihood from which a finding is taken, and from which another sentence is told with it."""
SHORT_REPLY = 6
"""Words up to which a typed turn goes on with what the one before was about."""
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
class _Claim:
    """A finding of the agent's, and how likely it is one."""

    told: Told
    likely: float


@dataclass(frozen=True, slots=True)
class _Around:
    """What was said around a finding."""

    trouble: str
    """What went wrong, in the person's words or the command's."""
    more: str
    """Another sentence of the agent's that explains it."""


def claims(turns: Sequence[Turn], turn: int, *, ended: bool) -> list[Candidate]:
    """Return the likeliest finding of a turn, if it is due; an overturned one is refused."""
    found = sorted(_likely(turns, turn), key=lambda each: (-each.likely, -each.told.message))
    if not found or found[0].likely < ENOUGH:
        return []
    best = found[0].told
    fate = _fate(turns, turn, best)
    if fate is _Fate.OPEN and not ended and len(turns) <= turn + TURNS_TO_OVERTURN:
        return []
    more = next((each.told.text for each in found[1:] if each.likely >= ALSO), "") or best.following
    confidence = CONFIRMED if fate is _Fate.CONFIRMED else HELD
    candidate = _candidate(best, _Around(_trouble(turns, turn), more), confidence)
    return [candidate.refuse("It was overturned later in the session.") if fate is _Fate.OVERTURNED else candidate]


def _trouble(turns: Sequence[Turn], turn: int) -> str:
    """Return what went wrong in a turn: a person's words, or what a command said that failed."""
    if told := _told_by_person(turns[turn]):
        return told
    goes_on = turn and sum(length(message.text[:500]) for message in turns[turn].typed) <= SHORT_REPLY
    if goes_on and (told := _told_by_person(turns[turn - 1])):
        return told
    if objection := _granted(turns[turn]):
        return objection
    for call in turns[turn].messages:
        if call.by is Speaker.TOOL and call.failed and is_command(call):
            return error_line(call.text)
    return ""


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


def _likely(turns: Sequence[Turn], turn: int) -> Iterator[_Claim]:
    """Walk the agent's sentences that may be findings."""
    for told in told_sentences(turns, turn):
        yield _Claim(told, told_likelihood(told_features(told)))


def _is_heading(sentence: str) -> bool:
    """Tell whether a sentence says nothing without what follows it."""
    return length(sentence) <= 3 or sentence.endswith((":", "："))


def _fate(turns: Sequence[Turn], turn: int, claim: Told) -> _Fate:
    """Return what the person said to the claim in the turns in which it would be overturned."""
    about = distinct_terms(claim.text)
    for distance, later in enumerate(turns[turn + 1 : turn + 1 + TURNS_TO_OVERTURN]):
        typed = " ".join(message.text[:300] for message in later.typed)[:300]
        agent = next((each.text[:300] for each in later.messages if each.by is Speaker.AGENT), "")
        of_this = distance == 0 or len(about & distinct_terms(f"{typed} {agent}")) >= SHARED_TERMS
        troubled = typed_as("trouble", typed)
        taken_back = claimed_as("overturned", typed) or (troubled and claimed_as("overturned", agent))
        if of_this and taken_back:
            return _Fate.OVERTURNED
        if claimed_as("confirmed", typed) and not troubled:
            return _Fate.CONFIRMED
    return _Fate.OPEN


def _candidate(claim: Told, around: _Around, confidence: float) -> Candidate:
    fix = _fix_after(claim)
    return Candidate(
        turn=claim.turn,
        message=claim.turns[claim.turn].messages[claim.message],
        kind=Kind.LESSON,
        content=_content(claim.text, fix, around),
        evidence=claim.text,
        confidence=confidence,
        lesson=Lesson(situation=one_line(around.trouble) or None, cause=one_line(claim.text, 300), fix=fix or None),
    )


def _fix_after(claim: Told) -> str:
    """Return the first sentence after the claim that says what was done about it."""
    rest = [*claim.said[claim.number + 1 :]]
    for message in claim.turns[claim.turn].messages[claim.message + 1 :]:
        if message.by is Speaker.AGENT:
            rest += passages(message.text)
    told = (each.text for each in rest if claimed_as("own_deed", each.text) and not _is_heading(each.text))
    return one_line(next(told, ""), 200)


def _content(cause: str, fix: str, around: _Around) -> str:
    """Return symptom, cause, fix and what else explains it, the most telling first."""
    chinese = is_chinese(cause)
    parts = [one_line(cause, 220)]
    if around.trouble:
        trouble = one_line(around.trouble, 120).rstrip(" .:!")
        parts.insert(0, f"{trouble}——" if chinese else f"{trouble} -")
    if fix:
        parts.append(f"处理：{one_line(fix, 140)}" if chinese else f"What was done: {one_line(fix, 140)}")
    if around.more and one_line(around.more, 200) != fix:
        parts.append(one_line(around.more, 140))
    return ("" if chinese else " ").join(parts)
