"""Home: the one place of a user's memory, and what is open in it.

Found by `--home`, else $HARDWON_HOME, else `home` in the nearest .hardwon.toml, else the platform's data folder.
What it opens, it opens on first use, through the registry; nothing here knows which store, queue or embedder that is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import InvalidInput, NewerFormat, NotFound, PluginError, Unavailable
from hardwon.kernel.other_homes import other_homes, told, told_aside
from hardwon.kernel.project_file import nearest_project_file
from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from hardwon.kernel.asking.governed import GovernedModel
    from hardwon.kernel.ports import (
        Clock,
        Console,
        Embedder,
        Generalizer,
        MountedNotes,
        Redactor,
        ReviewQueue,
        Storage,
    )
    from hardwon.kernel.registry import Registry
    from hardwon.kernel.settings import Settings

VARIABLE = "HARDWON_HOME"
PLATFORM = "the platform's data folder"
VERSION_FILE = "version"
FORMAT_VERSION = 1


class SilentConsole:
    """Nobody is there: says nothing, shows nothing, and every question is answered no."""

    def say(self, text: str) -> None:
        """Say nothing."""

    def show(self, line: str) -> None:
        """Show nothing."""

    @contextmanager
    def track(self, label: str, total: int) -> Iterator[Callable[[int], None]]:
        """Show nothing."""
        yield lambda _steps: None

    def confirm(self, question: str) -> bool:
        """Answer no."""
        return False

    def edit(self, text: str) -> str:
        """Say that nobody can."""
        raise Unavailable("Nobody is here to edit a text; give it with the command.")


def project_file(start: Path) -> tuple[Path, dict[str, Any]] | None:
    """Return the nearest .hardwon.toml at or above `start`, with its content. Raises InvalidInput if it is broken."""
    found = nearest_project_file(str(start.absolute()))
    return None if found is None else (Path(found[0]), found[1])


def platform_home() -> Path:
    """Return the platform's data folder for hardwon. Raises InvalidInput for a user who has no home directory."""
    if sys.platform == "darwin":
        return _expanded("~") / "Library" / "Application Support" / "hardwon"
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The specification of XDG has programs ignore a path that is not absolute.
    return (given if given.is_absolute() else _expanded("~") / ".local" / "share") / "hardwon"


def _expanded(path: str) -> Path:
    """Return a path with `~` as the home directory. Raises InvalidInput where nobody knows that."""
    expanded = Path(os.path.expanduser(path))  # noqa: PTH111 - it leaves the `~` where pathlib raises RuntimeError
    if path.startswith("~") and not expanded.is_absolute():
        raise InvalidInput(f"Nobody knows the home directory in {path}; name a full path by --home or ${VARIABLE}.")
    return expanded


def locate_home(given: str | None = None, start: Path | None = None) -> tuple[Path, str]:
    """Return the home and, in words, what named it. Raises InvalidInput."""
    if given == "":  # as of a variable that a script forgot to set: not the memory that it meant
        raise InvalidInput("--home names no folder; give it a path, or leave it out.")
    if given is not None:
        return _expanded(given).resolve(), "--home"
    if os.environ.get(VARIABLE):
        return _expanded(os.environ[VARIABLE]).resolve(), f"${VARIABLE}"
    found = project_file((start or Path.cwd()).resolve())
    if found and found[1].get("home"):
        path, content = found
        return (path.parent / _expanded(str(content["home"]))).resolve(), str(path)
    return platform_home(), PLATFORM


class Home:
    """An open home. `with Home(path) as home:` closes what was opened."""

    def __init__(
        self,
        path: Path,
        *,
        named_by: str = "the caller",
        console: Console | None = None,
        clock: Clock | None = None,
        registry: Registry | None = None,
        settings: Settings | None = None,
        may_begin: bool = False,
    ) -> None:
        """Open a home; `settings` stand in for those of its `config.toml`.

        `may_begin`: its store may begin with nothing, though another one holds the memory of this home.
        """
        self.path = path
        self.named_by = named_by
        self.console: Console = console or SilentConsole()
        self._clock = clock
        self._registry = registry
        self._settings = settings
        self._may_begin = may_begin

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def exists(self) -> bool:
        """Tell whether this home was ever made."""
        return (self.path / VERSION_FILE).is_file()

    def create(self) -> None:
        """Make the folder, for its owner alone, if it is not there. Raises NewerFormat, InvalidInput."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        version = self.path / VERSION_FILE
        if version.is_file():
            self._check_version(version)
            return
        write_whole(version, f"{FORMAT_VERSION}\n".encode("ascii"), durable=True)
        others = told_aside(self.path, VERSION_FILE)
        others += told(other_homes(self.path, VERSION_FILE)) if self._was_found else ""
        if others:
            self.console.say(f"A new memory begins at `{self.path}` (named by {self.named_by}).{others}")

    @property
    def _was_found(self) -> bool:
        """Tell whether the surroundings named this home, and nobody just now."""
        return self.named_by in (f"${VARIABLE}", PLATFORM) or self.named_by.endswith(".toml")

    def _check_version(self, version: Path) -> None:
        try:
            found = int(version.read_text(encoding="ascii").strip())
        except ValueError:
            raise InvalidInput(
                f"{version} holds no number; write {FORMAT_VERSION} into it if this is a home."
            ) from None
        if found > FORMAT_VERSION:
            raise NewerFormat(
                f"{self.path} has format {found} and this hardwon knows {FORMAT_VERSION}; "
                "upgrade hardwon, nothing was touched."
            )

    def refuse_newer(self) -> None:
        """Raise NewerFormat for a home that a newer hardwon wrote; one that is not there yet is as good as any."""
        if self.exists:
            self._check_version(self.path / VERSION_FILE)

    def require(self) -> None:
        """Raise NotFound unless this home exists: reading never makes one."""
        if not self.exists:
            others = told_aside(self.path, VERSION_FILE) + told(other_homes(self.path, VERSION_FILE))
            raise NotFound(
                f"There is no memory at {self.path} (named by {self.named_by}); run `hardwon init` first.{others}"
            )
        self._check_version(self.path / VERSION_FILE)

    @cached_property
    def clock(self) -> Clock:
        """Return the clock."""
        from hardwon.kernel.clock import SystemClock

        return self._clock or SystemClock()

    @cached_property
    def registry(self) -> Registry:
        """Return what the plugins offer."""
        from hardwon.kernel.registry import registry

        return self._registry or registry()

    @cached_property
    def settings(self) -> Settings:
        """Return the settings. Raises InvalidInput."""
        from hardwon.kernel.settings import load_settings

        return self._settings or load_settings(self.path)

    @cached_property
    def storage(self) -> Storage:
        """Return the open store; what is written through it is redacted, and refused once the memory has moved.

        Raises NotFound, StoreError, PluginError, and Conflict where another store holds this home's memory.
        """
        from hardwon.kernel.kept_where import Places
        from hardwon.kernel.migration_state import refuse_half_moved
        from hardwon.kernel.moved import watched_storage
        from hardwon.kernel.redacting.storage import redacting_storage

        self.require()
        store = self.settings.store
        open_store = self.registry.get("stores", store)
        places = Places(self.path, self.registry.all("store_places"))
        if not self._may_begin:
            refuse_half_moved(self.path, store)
            places.check_before(store)
        storage: Storage = open_store(self)
        if not self._may_begin:
            places.check_opened(store, storage)
        return watched_storage(redacting_storage(storage, lambda: self.redactor), self.path, store)

    @cached_property
    def redactor(self) -> Redactor:
        """Return the detector of secrets. Raises PluginError: nothing is written where there is none."""
        redactor: Redactor = self.registry.get("redactors", self.settings.redactor)(self.settings)
        return redactor

    @property
    def mounts(self) -> MountedNotes | None:
        """Return the notes of mounted folders; None while none was ever mounted. Raises PluginError."""
        from hardwon.kernel.mounts import FILE

        if not (self.path / FILE).is_file():
            return None
        notes: MountedNotes = self.registry.get("mounts", "markdown")(self)
        return notes

    @cached_property
    def queue(self) -> ReviewQueue:
        """Return the review queue; what is written through it is redacted."""
        from hardwon.kernel.ports import KeepsProposals
        from hardwon.kernel.redacting.storage import redacting_queue

        name = self.settings.review_queue or ("table" if isinstance(self.storage, KeepsProposals) else "markdown")
        return redacting_queue(self.registry.get("review_queues", name)(self), lambda: self.redactor)

    @cached_property
    def generalizer(self) -> Generalizer:
        """Return the generalizer."""
        generalizer: Generalizer = self.registry.get("generalizers", self.settings.generalizer.name)(self)
        return generalizer

    @cached_property
    def embedder(self) -> Embedder | None:
        """Return the embedder; None when the setting is `none`. Raises Unavailable where it cannot run."""
        if self.settings.embedder == "none":
            return None
        embedder: Embedder = self.registry.get("embedders", self.settings.embedder)(self.settings)
        return embedder

    @cached_property
    def language_model(self) -> GovernedModel | None:
        """Return the language model under its caps; None before one is named in the settings."""
        wanted = self.settings.language_model
        if not wanted.model:
            return None
        from hardwon.kernel.asking.governed import GovernedModel, MissingModel, Surroundings

        try:
            adapter = self.registry.get("language_models", wanted.name)(self.settings)
        except PluginError as error:
            adapter = MissingModel(wanted.model, str(error))
        around = Surroundings(self.path, self.clock, lambda: self.storage.ledger, lambda: self.redactor)
        return GovernedModel(adapter, wanted, around)

    def close(self) -> None:
        """Close what was opened; closing twice is harmless."""
        if "storage" in self.__dict__:
            self.__dict__.pop("storage").close()
