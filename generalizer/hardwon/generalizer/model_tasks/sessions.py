"""Has a session read for what is worth remembering, a part of it at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from hardwon.generalizer.model_tasks.asking import asked
from hardwon.generalizer.model_tasks.lessons import Sentence
from hardwon.kernel.asking.reading import ModelAnswer
from hardwon.kernel.injection import without_ours
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.session import Message, Speaker, Turn

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

LONGEST_MESSAGE, LONGEST_FAILURE = 1_500, 300
"""Characters of what somebody said, and of what a failed tool gave, that leave the machine; half from either end."""
LONGEST_PART = 20_000
"""Characters of a session that are read by one call."""
MOST_PARTS = 4
"""Calls for one session; of a longer one the last parts are read."""
LONGEST_CONTENT = 600
MOST_FINDINGS = 8


class Finding(ModelAnswer):
    """One thing that the session taught."""

    message: int
    quote: str
    kind: Literal["lesson", "preference", "fact", "decision"]
    content: str
    situation: Sentence = None
    cause: Sentence = None
    fix: Sentence = None
    principle: Sentence = None


class Findings(ModelAnswer):
    """The answer."""

    findings: Annotated[list[Finding], Field(max_length=MOST_FINDINGS)]


@dataclass(frozen=True)
class Said:
    """A message of a session, as the model is given it."""

    turn: int
    message: Message
    text: str


@dataclass(frozen=True)
class Found:
    """A finding whose proof stands where it says."""

    said: Said
    evidence: str
    """The quoted words, as they stand in the message."""
    kind: Kind
    content: str
    lesson: Lesson


def read_session(home: Home, turns: Sequence[Turn]) -> list[Found] | None:
    """Return what a model finds in a session, in its order; None where it did not read all of it."""
    found: list[Found] = []
    for part in list(_parts(_said(turns)))[-MOST_PARTS:]:
        messages = [{"number": n, "by": each.message.by.value, "text": each.text} for n, each in enumerate(part, 1)]
        answer = asked(home, "extraction", {"messages": messages}, Findings)
        if answer is None:
            return None
        found += [each for finding in answer.findings if (each := _proven(finding, part))]
    return found


def _said(turns: Sequence[Turn]) -> Iterator[Said]:
    """Walk what was said, without what recall showed, and the commands that failed."""
    for number, turn in enumerate(turns):
        for message in turn.messages:
            if message.by is Speaker.TOOL and not message.failed:
                continue
            limit = LONGEST_FAILURE if message.by is Speaker.TOOL else LONGEST_MESSAGE
            if text := _ends(without_ours(message.text).strip(), limit):
                yield Said(number, message, text)


def _ends(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}\n…\n{text[-most // 2 :]}"


def _parts(said: Iterator[Said]) -> Iterator[list[Said]]:
    part: list[Said] = []
    for each in said:
        if part and sum(len(other.text) for other in part) + len(each.text) > LONGEST_PART:
            yield part
            part = []
        part.append(each)
    if part:
        yield part


def _proven(finding: Finding, part: Sequence[Said]) -> Found | None:
    """Return a finding with the words that prove it; None where no message that was given holds them."""
    if not 1 <= finding.message <= len(part):
        return None
    said = part[finding.message - 1]
    evidence = _standing(finding.quote, said.message.text)
    content = " ".join(finding.content.split())
    if evidence is None or said.message.by is Speaker.TOOL or not 0 < len(content) <= LONGEST_CONTENT:
        return None
    lesson = Lesson(situation=finding.situation, cause=finding.cause, fix=finding.fix, principle=finding.principle)
    return Found(said, evidence, Kind(finding.kind), content, lesson)


def _standing(quote: str, text: str) -> str | None:
    """Return the quoted words as they stand in a text; models change spaces and line breaks, and nothing else."""
    words = quote.split()
    if len("".join(words)) < 4:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found[0] if found else None
