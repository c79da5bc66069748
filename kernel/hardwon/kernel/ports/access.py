"""What lies between hardwon and the world: time, people, files and coding agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.harness import FileChange, HarnessEvent, Job
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the present moment with its zone."""
        ...


class Console(Protocol):
    """The person on the other side, if there is one."""

    def say(self, text: str) -> None:
        """Tell something now, in Markdown, before the command is done."""
        ...

    def show(self, line: str) -> None:
        """Show how long work stands, in one line, in the place of what was shown before; elsewhere, what changed."""
        ...

    def track(self, label: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Show progress of long work; call the yielded function with the number of steps done since the last call."""
        ...

    def confirm(self, question: str) -> bool:
        """Ask; False when nobody can answer."""
        ...

    def edit(self, text: str) -> str:
        """Return a Markdown text as the person left it in their editor.

        Raises Unavailable where nobody is there or no editor runs, HardwonError when it failed.
        """
        ...


class LessonReader(Protocol):
    """Reads memories from a file that people or programs already have."""

    def accepts(self, path: Path) -> bool:
        """Tell whether this reader is for such a file, by its name."""
        ...

    def read(self, path: Path) -> Iterator[Mapping[str, Any] | Problem]:
        """Walk the file's records in the import format (docs/reference/formats.md).

        What is passed over on purpose (no lesson) is a Skipped; what should have been taken and cannot be is a Problem.
        Raises InvalidInput when the file as a whole cannot be taken.
        """
        ...


class HarnessAdapter(Protocol):
    """Speaks with one coding agent: reads its events, answers in its form, wires itself in and out."""

    @property
    def name(self) -> str:
        """Return the harness's name as a user types it."""
        ...

    def parse(self, payload: Mapping[str, Any]) -> HarnessEvent | None:
        """Return the event in our terms, or None when it is none of ours, whatever the harness sent."""
        ...

    def render(self, event: HarnessEvent, injection: str) -> bytes:
        """Return the bytes that this harness expects as an answer."""
        ...

    def tools(self) -> Mapping[str, str]:
        """Return the tools of ours that the agent can call: the action's name, and what the tool is called there.

        Empty where the agent has none and uses the command line.
        """
        ...

    def schedule(self, jobs: Sequence[Job]) -> list[str]:
        """Let the harness trigger these jobs and no others of ours; return what was changed, a sentence each.

        `uninstall` takes them back too. Raises Unavailable, changing nothing, where the harness has no such moment.
        """
        ...

    def present(self) -> bool:
        """Tell whether the harness is installed for this user: its program can be found, or its folder is there."""
        ...

    def hook_table(self) -> Mapping[str, Any]:
        """Return what the hook program needs to know of this harness, as JSON (docs/reference/hook-program.md)."""
        ...

    def changes(self, home: Path) -> list[FileChange]:
        """Return what `install` would do to the harness's files now; nothing when all is as it should be."""
        ...

    def install(self, home: Path) -> list[str]:
        """Wire the harness to this home: do what `changes` says; return what was changed, a sentence each."""
        ...

    def uninstall(self, home: Path) -> list[str]:
        """Take back exactly what `install` and `schedule` did; return what was changed."""
        ...

    def status(self) -> Mapping[str, Any]:
        """Return whether it is wired (`installed`), to which `home`, and what the user must still do (`to_do`)."""
        ...

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts that the harness keeps."""
        ...

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a transcript, oldest first, each once; a row that cannot be read is a Problem.

        What no person typed is no user's message; what hardwon showed, sub-agents' rows and reasoning are left out.
        """
        ...


class Timer(Protocol):
    """Has the system start due runs of a home while nothing of hardwon is running: cron, systemd, launchd."""

    def missing(self) -> str | None:
        """Return why it cannot be used here, as a sentence; None where it can."""
        ...

    def installed(self, home: Path) -> bool:
        """Tell whether the system would start runs for this home now. Never raises."""
        ...

    def is_current(self, home: Path, line: str) -> bool:
        """Tell whether what is installed is what `install` would write for a crontab line. Never raises."""
        ...

    def preview(self, home: Path, line: str) -> str:
        """Return what `install` would write, as text, for a crontab line. Raises InvalidInput, Unavailable."""
        ...

    def install(self, home: Path, line: str) -> list[str]:
        """Have runs started at a crontab line's times; return what was changed, a sentence each, nothing if all is so.

        Raises Unavailable, InvalidInput, changing nothing, where that cannot be.
        """
        ...

    def remove(self, home: Path) -> list[str]:
        """Take back exactly what `install` did; return what was changed. Raises Unavailable."""
        ...
