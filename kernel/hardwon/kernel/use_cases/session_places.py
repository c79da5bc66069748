"""Where the turns of sessions belong: their project, and whether anything of them may be kept. Off means off."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.identity import identify
from hardwon.kernel.project_names import ProjectBook, visible_names
from hardwon.kernel.use_cases.home_switches import home_switches, repository_here
from hardwon.kernel.use_cases.pausing import PauseSpan, pause_spans
from hardwon.kernel.use_cases.projects import claim, seen_from

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.identity import ProjectIdentity
    from hardwon.kernel.session import Message, Turn


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """One folder that an agent worked in."""

    identity: ProjectIdentity | None
    project: str | None
    """The project's key; None where the folder is no project."""
    names: tuple[str, ...]
    """Every name of it and of the projects that it is a package of."""
    is_on: bool
    """Whether what is said there is captured: not where it is off, nor where the repository names another home."""


@dataclass
class SessionPlaces:
    """The places of one run; each folder is looked at once."""

    home: Home
    project: str | None = None
    """The project of all turns, whatever folder they name, if one was given."""
    _known: dict[tuple[str, Path | None], SessionPlace] = field(default_factory=dict)

    def place(self, harness: str, folder: Path | None) -> SessionPlace:
        """Return the place of a folder. Raises InvalidInput for a broken .hardwon.toml or list of projects."""
        key = (harness, folder)
        if key not in self._known:
            self._known[key] = self._look_at(harness, folder)
        return self._known[key]

    def of_turn(self, turn: Turn) -> SessionPlace:
        """Return the place of a turn."""
        return self.place(turn.harness, turn.folder)

    def captured(self, turn: Turn) -> Turn | None:
        """Return what may be kept of a turn: nothing where it is off, and of a pause only what was said outside it."""
        if not self.of_turn(turn).is_on:
            return None
        if not self._pauses:
            return turn
        messages = tuple(message for message in turn.messages if not self._was_paused(turn, message))
        return replace(turn, messages=messages) if messages else None

    def _was_paused(self, turn: Turn, message: Message) -> bool:
        at = message.at or turn.at
        if at is None:
            return False
        names = self.of_turn(turn).names
        return any(span.holds(at.timestamp(), turn.harness, names) for span in self._pauses)

    @cached_property
    def _pauses(self) -> list[PauseSpan]:
        return pause_spans(self.home) if self.home.exists else []

    def claim(self, turns: list[Turn]) -> None:
        """Let the projects of these turns keep the names they had before; something is about to be written for them."""
        if self.project is not None:
            return
        for identity in dict.fromkeys(self.of_turn(turn).identity for turn in turns):
            if identity is not None:
                claim(self.home, identity)

    def _look_at(self, harness: str, folder: Path | None) -> SessionPlace:
        identity = identify(folder) if folder is not None and folder.is_absolute() else None
        book = seen_from(self.home, identity if self.project is None else None) if self.home.exists else ProjectBook({})
        project = book.canonical(self.project or (identity.key if identity else None))
        names = tuple(name for name in visible_names(book, project) or () if name is not None)
        repository = repository_here(str(folder or "/"))
        is_ours = repository.get("home", str(self.home.path)) in (str(self.home.path), str(self.home.path.resolve()))
        is_on = is_ours and home_switches(self.home, harness, repository, names).capture
        return SessionPlace(identity, project, names, is_on)
