"""Short ways to write a session down, and to ask what of it was learned."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.generalizer.extraction.offline import OfflineExtractor
from hardwon.kernel.extraction import Extract
from hardwon.kernel.session import Message, Speaker, Turn

Said = tuple[str, str] | tuple[str, str, str, str]


def user(text: str) -> Said:
    """Return what a person typed."""
    return ("user", text)


def agent(text: str) -> Said:
    """Return what the agent said."""
    return ("agent", text)


def call(tool: str, request: str, result: str) -> Said:
    """Return a call of a tool that went well."""
    return (tool, request, result, "")


def failure(tool: str, request: str, result: str) -> Said:
    """Return a call of a tool that failed."""
    return (tool, request, result, "failed")


def turn(*said: Said, number: int = 1, harness: str = "claude-code") -> Turn:
    """Return a turn; its messages are numbered."""
    return Turn(
        harness, "session", f"turn-{number}", tuple(_message(each, f"{number}-{at}") for at, each in enumerate(said))
    )


def _message(said: Said, name: str) -> Message:
    if len(said) == 2:
        return Message(name, Speaker(said[0]), said[1])
    return Message(name, Speaker.TOOL, said[2], tool=said[0], request=said[1], failed=bool(said[3]))


def session(*turns: Sequence[Said]) -> list[Turn]:
    """Return a session of turns."""
    return [turn(*said, number=number) for number, said in enumerate(turns, start=1)]


def extracts(turns: Sequence[Turn], *, ended: bool = True) -> list[Extract]:
    """Return all that the offline extractor found, refused or not."""
    return OfflineExtractor().extract(turns, ended=ended)


def learned(*said: Said, ended: bool = True) -> list[Extract]:
    """Return what one turn taught."""
    return passed(extracts([turn(*said)], ended=ended))


def passed(found: Sequence[Extract]) -> list[Extract]:
    """Return those that passed the write gate."""
    return [each for each in found if each.refused is None]
