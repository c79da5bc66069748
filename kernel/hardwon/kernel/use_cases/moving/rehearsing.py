"""The upgrade of a home, rehearsed on a copy: what would change, how long it takes, and what cannot be read then.

Nothing of the home is opened, since opening is what upgrades it: its files are copied, and the copy is opened with this
version. At the end the home is looked at again: not one file of it may be another than before.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.errors import HardwonError, StoreBusy, StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.kept_where import Places
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.moving.backing_up import DERIVED
from hardwon.kernel.use_cases.moving.comparing import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLES = ("memories", "relations", "decisions", "versions", "journal", "proposals", "documents")
"""Tables whose rows are counted in what the former version left."""
_TRIES = 3
"""How often a copy begins again because somebody wrote meanwhile."""
_NOT_COPIED = tuple(pattern for pattern in DERIVED if not pattern.startswith("vectors"))

Stats = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Rehearsal:
    """What would come of opening a home with this version."""

    store: str
    before: Mapping[str, int]
    """What the former version says it has: rows by table, and files by folder."""
    formats: Mapping[str, str]
    """By database: the format that the former version wrote."""
    after: Mapping[str, int]
    """What this version finds, by part."""
    seconds: float
    """Until the copy could be read for the first time."""
    bytes: int
    """That were copied."""
    problems: tuple[Problem, ...]
    """What this version cannot read; it is left as it is."""


def rehearse(home: Home) -> Rehearsal:
    """Open a copy of a home. Raises NotFound, NewerFormat, StoreBusy where others do not stop writing, StoreError."""
    home.require()
    with _copy_of(home) as (copy, size):
        before = {**_files(copy), **_rows(home, copy)}
        formats = _formats(home, copy)
        began = time.monotonic()
        with _opened(home, copy) as opened:
            try:
                opened.storage  # noqa: B018 - opening is what is rehearsed
                problems = [*opened.storage.problems(), *opened.queue.problems()]
                seconds = time.monotonic() - began
                after = {part: sum(1 for _ in records(opened)) for part, records in PARTS.items()}
            except HardwonError as error:
                problems, seconds, after = [Problem(where=str(copy), what=str(error))], time.monotonic() - began, {}
        told = tuple(_at_home(problem, copy, home.path) for problem in problems)
        return Rehearsal(home.settings.store, before, formats, after, seconds, size, told)


def _opened(home: Home, path: Path) -> Home:
    return Home(path, named_by="the copy", console=home.console, clock=home.clock, registry=home.registry)


@contextlib.contextmanager
def _copy_of(home: Home) -> Iterator[tuple[Path, int]]:
    """Copy a home as it lies, again where somebody wrote meanwhile; nothing of it is opened but to be read."""
    folder = Path(tempfile.mkdtemp(prefix="hardwon-rehearsal-"))
    try:
        for _ in range(_TRIES):
            before = _stats(home.path)
            size = sum(length for length, _ in before.values())
            if size > shutil.disk_usage(folder).free:
                raise StoreError(f"A copy of {home.path} takes {size / 1e6:,.0f} MB; make room in {folder.parent}.")
            copy = folder / "home"
            shutil.copytree(home.path, copy, symlinks=True, ignore=shutil.ignore_patterns(*_NOT_COPIED))
            if _stats(home.path) == before:
                break
            shutil.rmtree(copy)
        else:
            raise StoreBusy(f"Others go on writing to {home.path}; rehearse the upgrade when nothing is at work.")
        yield copy, size
        if _stats(home.path) != before:
            home.console.say(f"{home.path} changed while its copy was rehearsed; others wrote to it.")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _stats(folder: Path) -> Stats:
    """Return size and time of each file below a folder, but for what is not copied."""
    ignored = shutil.ignore_patterns(*_NOT_COPIED)
    found: Stats = {}
    pending = [folder]
    while pending:
        place = pending.pop()
        names = [path.name for path in place.iterdir()]
        for name in set(names) - set(ignored(str(place), names)):
            path = place / name
            if path.is_dir() and not path.is_symlink():
                pending.append(path)
            else:
                stat = path.lstat()
                found[str(path)] = (stat.st_size, stat.st_mtime_ns)
    return found


def _files(copy: Path) -> dict[str, int]:
    """Count the Markdown files by the folder of the memory that they lie in."""
    counts: dict[str, int] = {}
    for path in (copy / "memory").rglob("*.md"):
        place = path.relative_to(copy / "memory").parts
        if ".git" not in place and len(place) > 1:
            name = f"files in {place[0]}/"
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def _databases(home: Home, copy: Path) -> list[Path]:
    """Return the SQLite files of the store in the copy, the one last written first."""
    places = Places(copy, home.registry.all("store_places")).of(home.settings.store)
    found = [path for path in places if path.suffix == ".sqlite"]
    return sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _rows(home: Home, copy: Path) -> dict[str, int]:
    """Count what the former version's database has; the first that can be read counts."""
    for path in _databases(home, copy):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            return {
                f"{name} in {path.name}": database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608
                for name in TABLES
                if name in tables
            }
    return {}


def _formats(home: Home, copy: Path) -> dict[str, str]:
    found = {}
    for path in _databases(home, copy):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as database:
            row = database.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
            found[path.name] = str(row[0]) if row else "none"
    return found


def _at_home(problem: Problem, copy: Path, home: Path) -> Problem:
    """Return a problem as it would be told of the home."""
    return Problem(where=problem.where.replace(str(copy), str(home)), what=problem.what.replace(str(copy), str(home)))
