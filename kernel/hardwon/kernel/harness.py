"""What a coding agent tells us, and jobs that it triggers for us. No pydantic: the agent waits for an answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class HarnessMoment(StrEnum):
    """When in a session something happens, whatever the harness calls it."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    """Before the agent works on what a person asked, or before its next step."""
    TOOL_USE = "tool-use"
    TURN_END = "turn-end"
    SESSION_END = "session-end"


@dataclass(frozen=True, slots=True)
class HarnessEvent:
    """One event of a session in our terms."""

    moment: HarnessMoment
    folder: Path
    """The absolute folder that the agent works in; which project it is, `identify` says."""
    session: str | None = None
    """The harness's own id of the session."""
    prompt: str = ""
    """What the person asked; empty at moments without a question."""
    turns: tuple[str, ...] = ()
    """The recent turns, oldest first, without the prompt, where the harness gives them."""
    transcript: Path | None = None
    """The file in which the harness keeps the session, where it keeps one."""
    turn: str | None = None
    """The harness's own id of the turn, where it gives one."""
    source: str = ""
    """At a session's start: startup, resume, clear or compact."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work in the background that a harness triggers: a command that ends at once, having started what takes longer."""

    name: str
    moment: HarnessMoment
    command: tuple[str, ...]
    """The program and its arguments, as no shell needs to read them."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What becomes of one file of a harness: shown before it is done, and taken back exactly."""

    path: Path
    before: bytes | None
    """None: there is no such file."""
    after: bytes | None
    """None: the file is removed."""
