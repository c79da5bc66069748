"""Restore: a home from a backup, checked before anything is put in its place, with the present one kept aside."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardwon.kernel import background
from hardwon.kernel.errors import Conflict, NewerFormat, NotFound, StoreBusy, StoreError
from hardwon.kernel.exchange import CANNOT, exchange
from hardwon.kernel.home import FORMAT_VERSION, Home
from hardwon.kernel.other_homes import SET_ASIDE
from hardwon.kernel.records import Problem
from hardwon.kernel.regular_file import REFUSED
from hardwon.kernel.use_cases.hook_program import refresh_hook
from hardwon.kernel.use_cases.moving.backing_up import ARCHIVE
from hardwon.kernel.use_cases.moving.backup_file import Manifest, unpack
from hardwon.kernel.use_cases.moving.comparing import PARTS
from hardwon.kernel.use_cases.moving.migration_plan import is_empty
from hardwon.kernel.use_cases.moving.reading import check_archive, read_archive
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.kernel.whole_file import sync_folder


@dataclass(frozen=True)
class BroughtBack:
    """What a backup holds, and what was done with it."""

    manifest: Manifest
    counts: dict[str, int]
    """Records by part, as they could be read."""
    problems: tuple[Problem, ...]
    """What of it cannot be read."""
    aside: Path | None = None
    """Where the home that was in its place lies now."""


def check_backup(home: Home, path: Path) -> BroughtBack:
    """Unpack a backup aside, open it and read everything in it; the home is not touched. Raises InvalidInput."""
    with _unpacked(home, path, Path(tempfile.gettempdir())) as (folder, manifest):
        return _read(home, folder, manifest)


def bring_back(home: Home, path: Path, *, replace: bool = False) -> BroughtBack:
    """Put a home in its place from a backup; `replace` sets the one that is there aside.

    Raises InvalidInput for a damaged backup, Conflict where something is there, StoreError where the disk refuses; then
    nothing was changed.
    """
    occupied = home.path.exists() and any(home.path.iterdir())
    if occupied and not replace:
        raise Conflict(f"There is a home at {home.path} already; give --replace to set it aside, or name another home.")
    home.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _unpacked(home, path, home.path.parent) as (folder, manifest):
        found = _read(home, folder, manifest)
        if manifest.kind == "archive":
            _import(home, folder)
        with _alone(home, occupied=occupied):
            aside = _switch(home, folder, occupied=occupied)
        with _opened(home, home.path) as back:
            refresh_hook(back)
        return BroughtBack(manifest, found.counts, found.problems, aside)


@contextlib.contextmanager
def _unpacked(home: Home, path: Path, beside: Path) -> Iterator[tuple[Path, Manifest]]:
    if not path.is_file():
        what = f"{path} cannot be read ({REFUSED})" if path.exists() else f"There is no file {path}"
        raise NotFound(f"{what}; name a backup.")
    folder = Path(tempfile.mkdtemp(prefix=".hardwon-restore-", dir=beside))
    try:
        manifest = unpack(path, folder)
        if manifest.home_format > FORMAT_VERSION:
            raise NewerFormat(f"{path} is of a newer hardwon's home; upgrade hardwon, nothing was touched.")
        home.registry.get("stores", manifest.store)
        yield folder, manifest
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _opened(home: Home, path: Path) -> Home:
    return Home(path, named_by="the backup", console=home.console, clock=home.clock, registry=home.registry)


def _read(home: Home, folder: Path, manifest: Manifest) -> BroughtBack:
    """Read everything that a backup holds."""
    if manifest.kind == "archive":
        return _read_archive(folder / ARCHIVE, manifest)
    with _opened(home, folder) as opened:
        with home.console.track("Reading", len(PARTS)) as advance:
            counts = {}
            for part, records in PARTS.items():
                counts[part] = sum(1 for _ in records(opened))
                advance(1)
        return BroughtBack(manifest, counts, tuple(_within(each, folder) for each in opened.storage.problems()))


def _within(problem: Problem, folder: Path) -> Problem:
    """Return a problem that says where it is in the home, and not in the folder that goes in a moment."""
    return problem.model_copy(update={"where": problem.where.removeprefix(f"{folder}/")})


def _read_archive(path: Path, manifest: Manifest) -> BroughtBack:
    counts: dict[str, int] = {}
    problems = check_archive(path)
    for each in read_archive(path):
        if isinstance(each, Problem):
            problems.append(each)
        else:
            counts[each.type] = counts.get(each.type, 0) + 1
    return BroughtBack(manifest, counts, tuple(problems))


def _import(home: Home, folder: Path) -> None:
    """Import the archive of a backup into the store that its settings name, which must be empty. Raises Conflict."""
    with _opened(home, folder) as opened:
        if not is_empty(opened):
            raise Conflict(
                f"The store {opened.settings.store} holds a memory already; empty it, or name another place for it in "
                "the settings of a home, and import the archive of the backup there."
            )
        restore(opened, folder / ARCHIVE)
    (folder / ARCHIVE).unlink()


@contextlib.contextmanager
def _alone(home: Home, *, occupied: bool) -> Iterator[None]:
    """Keep runs of `consolidate` out of the home that is set aside. Raises StoreBusy."""
    if not occupied:
        yield
        return
    with background.alone(home.path / LOCK_FILE) as free:
        if not free:
            raise StoreBusy(f"A run of `hardwon consolidate` is at work in {home.path}; restore when it has ended.")
        yield


def _switch(home: Home, folder: Path, *, occupied: bool) -> Path | None:
    """Put the folder in the home's place; return where the one that was there lies now. Raises StoreError.

    In one step where the system can. Elsewhere there is no home between two renames: where the second fails, the old
    one is put back, and where a kill comes between, whoever finds no memory is told of the one that was set aside.
    """
    aside = home.path.with_name(f"{home.path.name}{SET_ASIDE}{home.clock.now():%Y-%m-%dT%H-%M-%S}")
    try:
        if not occupied:
            if home.path.exists():
                home.path.rmdir()
            folder.rename(home.path)
        elif not _exchanged(folder, home.path, aside):
            home.path.rename(aside)
            _put_in_place(folder, home.path, aside)
    except OSError as error:
        raise StoreError(
            f"The backup cannot be put at {home.path} ({error.strerror}) and nothing was changed; put that right, then "
            "restore again."
        ) from error
    folder.mkdir()  # for whoever clears it
    sync_folder(home.path.parent)
    return aside if occupied else None


def _exchanged(folder: Path, place: Path, aside: Path) -> bool:
    """Let the folder and the home take each other's place, the old one under its new name; False where that cannot be.

    The backup waits under that name: a failure at any point leaves no home where it would be cleared away.
    """
    folder.rename(aside)
    try:
        exchange(aside, place)
    except OSError as error:
        aside.rename(folder)
        if error.errno not in CANNOT:
            raise
        return False
    return True


def _put_in_place(folder: Path, place: Path, aside: Path) -> None:
    try:
        folder.rename(place)
    except OSError:
        _put_back(aside, place)
        raise


def _put_back(aside: Path, place: Path) -> None:
    """Let the home that was set aside stand in its place again. Raises StoreError, which names it."""
    try:
        aside.rename(place)
    except OSError as error:
        raise StoreError(
            f"The backup could not be put at {place}, nor what was there put back ({error.strerror}): it lies whole at "
            f"{aside}; rename it to {place}."
        ) from error
