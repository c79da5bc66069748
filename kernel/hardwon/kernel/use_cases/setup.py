"""Wiring harnesses to a home: which there are, what would be changed, doing it, and taking it back."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import HardwonError, InvalidInput, NotFound
from hardwon.kernel.use_cases.hook_program import write_hook
from hardwon.kernel.use_cases.replica import refresh_replica

if TYPE_CHECKING:
    from hardwon.kernel.harness import FileChange
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import HarnessAdapter

OWN_FOLDERS = frozenset(
    ["activity", "aside", "catalogue", "generalizer", "hook", "memory", "model-answers", "spool", "vectors"]
)
"""What a home has below it; a user's own folders beside them are not removed with it."""
OWN_FILES = re.compile(
    r"version|config\.toml|past-sessions\.json|intent\.json|git-index\.behind|embedding\.wanted"
    r"|(?:[\w-]+\.)?lock(?:\.held[\w.-]*)?"
    r"|examined\.json|language-model\.json|sameness\.json|migration\.json|mounts\.json"
    r"|(?:memory|replica)\.sqlite[\w.-]*"
    r"|index-\d+\.current|(?:index|vectors|schedule)[\w-]*\.sqlite[\w-]*"
    r"|\.(?:version-|hardwon-aside-|past-sessions\.json\.|language-model\.json-)[\w-]+|\.DS_Store"
)
"""The files directly in a home, with what SQLite, a write that was broken off, and macOS leave beside them."""
LESSON_FILES = frozenset(
    [
        "agents.md",
        "claude.md",
        "conventions.md",
        "gemini.md",
        "gotchas.md",
        "lessons.md",
        "lessons-learned.md",
        "qwen.md",
    ]
)
"""Names, whatever their case, under which projects keep what they learned or tell their agents."""


@dataclass(frozen=True)
class Wiring:
    """What becomes, or became, of one harness."""

    harness: str
    title: str
    changes: Sequence[FileChange] = ()
    done: Sequence[str] = ()
    """What was changed, a sentence each."""
    to_do: Sequence[str] = field(default=())
    """What is left to the user, a sentence each."""
    problem: str | None = None
    """Why it could not be done; its files are as they were."""


def wanted_harnesses(home: Home, names: Sequence[str]) -> list[str]:
    """Return the harnesses that are meant: those named, else those that are installed here. Raises NotFound."""
    known = home.registry.all("harnesses")
    for name in names:
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            raise NotFound(
                f"No plugin is installed for a coding agent “{name}” (there are: {there}); "
                "take one of these, or install its plugin as docs/guides/harnesses.md says."
            )
    return list(dict.fromkeys(names)) or sorted(name for name, adapter in known.items() if adapter.present())


def plan(home: Home, name: str) -> Wiring:
    """Return what `wire` would change of a harness."""
    adapter = _adapter(home, name)
    try:
        return Wiring(name, title(adapter), changes=adapter.changes(home.path))
    except HardwonError as error:
        return Wiring(name, title(adapter), problem=str(error))


def prepare(home: Home) -> list[str]:
    """Make the memory and its hook program, which must be there before a harness calls it; return what was changed."""
    created = not home.exists
    home.create()
    home.storage.problems()
    refresh_replica(home)
    return [f"Made a memory at {home.path}."] * created + write_hook(home)


def wire(home: Home, name: str) -> Wiring:
    """Wire a harness to a home that was prepared."""
    adapter = _adapter(home, name)
    try:
        done = adapter.install(home.path)
        return Wiring(name, title(adapter), done=done, to_do=adapter.status()["to_do"])
    except HardwonError as error:
        return Wiring(name, title(adapter), problem=str(error))


def unwire(home: Home, name: str) -> Wiring:
    """Take the wiring of a harness to this home back."""
    adapter = _adapter(home, name)
    try:
        done = adapter.uninstall(home.path)
        other = adapter.status()["home"]
    except HardwonError as error:
        return Wiring(name, title(adapter), problem=str(error))
    to_do = [f"It is wired to another memory; for that one, run `hardwon unset {name} --home {other}`."]
    return Wiring(name, title(adapter), done=done, to_do=to_do if other else ())


def title(adapter: HarnessAdapter) -> str:
    """Return what people call a harness."""
    return str(adapter.hook_table()["title"])


def keeps_files(adapter: HarnessAdapter) -> bool:
    """Tell whether a harness keeps its sessions in files, which cost nothing to look for."""
    return "transcript" in adapter.hook_table()["fields"]


def past_sessions(home: Home, name: str) -> int:
    """Return how many past sessions a harness keeps in files."""
    adapter = _adapter(home, name)
    return sum(1 for _ in adapter.transcripts()) if keeps_files(adapter) else 0


def lesson_files(folder: Path) -> list[Path]:
    """Return the files directly in a folder that may hold lessons, by their names."""
    return sorted(path for path in folder.iterdir() if path.name.casefold() in LESSON_FILES and path.is_file())


def require_real_home(home: Home) -> None:
    """Raise InvalidInput unless the folder is a memory's and nothing else: what is removed whole must be ours whole."""
    home.require()
    path = home.path
    strange = sorted(each.name for each in path.iterdir() if not _is_ours(each))
    if strange or path.is_symlink() or Path.home().is_relative_to(path):
        what = f"holds {', '.join(strange)}, which is not hardwon's" if strange else "is more than a memory's folder"
        raise InvalidInput(f"{path} {what}; remove by hand what you do not want to keep.")


def _is_ours(path: Path) -> bool:
    """Tell whether something that lies directly in a home is hardwon's."""
    return path.name in OWN_FOLDERS if path.is_dir() else OWN_FILES.fullmatch(path.name) is not None


def remove_home(home: Home) -> None:
    """Remove a memory with all that belongs to it. Raises InvalidInput where the folder is not one."""
    require_real_home(home)
    home.close()
    shutil.rmtree(home.path)


def _adapter(home: Home, name: str) -> Any:
    return home.registry.get("harnesses", name)
