"""Reads tests/data/capture/: sessions of short turns, each with what it teaches.

A line starts with a letter: U what a person typed (it begins a turn, but not after another U of the same turn), u the
same in the middle of the agent's work, A the agent's words, T a tool's call that went well and F one that failed
(tool | request | result), = a label (kind | quote), - a sort of hard negative. A blank line ends a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hardwon.kernel.session import Message, Speaker, Turn

FOLDER = Path(__file__).parents[2] / "data" / "capture"
PATHS = (FOLDER / "own.txt", FOLDER / "second.txt")
"""The second was written when the extractor knew the first alone; its own heading says what was known when."""
HELD_BACK = FOLDER / "third.txt"
"""Nothing is fitted to it, and no cue is chosen by it."""


@dataclass
class LabelledTurn:
    """A turn with its labels, (kind, quote) each."""

    turn: Turn
    language: str
    labels: list[tuple[str, str]] = field(default_factory=list)
    hard_negative: str | None = None


def _message(line: str, name: str) -> Message:
    letter, text = line[0], line[2:].replace("\\n", "\n")
    if letter in "TF":
        tool, request, result = (part.strip() for part in text.split("|", 2))
        return Message(name, Speaker.TOOL, result, tool=tool, request=request, failed=letter == "F")
    return Message(name, Speaker.AGENT if letter == "A" else Speaker.USER, text)


def _turn(block: list[str], session: str, number: int, language: str) -> LabelledTurn:
    name = f"{session}-{number}"
    spoken = [line for line in block if line[0] in "UuATF"]
    messages = tuple(_message(line, f"{name}-{place}") for place, line in enumerate(spoken))
    if spoken[0][0] == "u":
        at_work = Message(f"{name}-at-work", Speaker.TOOL, "The user refused this.", tool="Edit", failed=True)
        messages = (at_work, *messages)
    labelled = LabelledTurn(Turn("own", session, name, messages), language)
    for line in block:
        if line[0] == "=":
            kind, quote = line[2:].split("|", 1)
            labelled.labels.append((kind.strip(), quote.strip()))
        elif line[0] == "-":
            labelled.hard_negative = line[2:].strip()
    return labelled


def sessions(path: Path) -> Iterator[list[LabelledTurn]]:
    """Walk the sessions of a set."""
    for part in path.read_text(encoding="utf-8").split("\n== ")[1:]:
        heading, *lines = part.splitlines()
        session, language = heading.rsplit(" ", 1)
        lines = [line for line in lines if not line.startswith("#")]
        blocks = [block.splitlines() for block in "\n".join(lines).strip().split("\n\n")]
        yield [_turn(block, session, number, language) for number, block in enumerate(blocks, start=1)]
