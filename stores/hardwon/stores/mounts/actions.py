"""The command that mounts folders, lists them and lets go of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import InvalidInput, NotFound, StoreBusy, StoreError, UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.mounts import Mount
    from hardwon.stores.mounts.index import Standing

LOCK = "mounts.lock"
PATIENCE = 10.0
"""Seconds that another process is waited for, which changes the list."""
NAMED = 5
"""Files that are named of those that are passed over for one reason; --json has all."""


def mount(
    home: Home,
    path: Annotated[str, "a folder of Markdown files; all mounted ones if left out"] = "",
    *,
    project: Annotated[tuple[str, ...], "show it in this project; may be given again"] = (),
    global_: Annotated[bool, "show it everywhere"] = False,
    remove: Annotated[bool, "let go of the folder; its files stay as they are"] = False,
) -> Report:
    """Search a folder of notes beside the memory, in place and read only; without PATH, list what is mounted."""
    from hardwon.kernel.mounts import load_mounts

    home.require()
    if not path:
        if project or global_ or remove:
            raise UsageError("Name the folder that this is about, as in `hardwon mount docs`.")
        return _listed(home, load_mounts(home.path))
    if remove:
        return _removed(home, path)
    mounted = _mount(home, path, project, everywhere=global_)
    with _changing(home) as change:
        change(lambda mounts: [*(each for each in mounts if each.path != mounted.path), mounted])
    return _listed(home, [mounted])


def _mount(home: Home, path: str, projects: Sequence[str], *, everywhere: bool) -> Mount:
    """Return the folder to be mounted, for whom it may be. Raises UsageError, InvalidInput."""
    from hardwon.kernel.mounts import Mount, load_mounts
    from hardwon.stores.mounts.notes import own_folders

    root = os.path.realpath(os.path.expanduser(path))  # noqa: PTH111 - it leaves what it does not know
    if not Path(root).is_dir():
        raise InvalidInput(f"{path} is no folder that can be reached; name the folder that holds the notes.")
    if any(_lies_in(root, own) for own in own_folders(home.path)):
        raise InvalidInput(f"{root} belongs to the memory itself, which is searched already; name another folder.")
    if _lies_in(os.path.realpath(os.path.expanduser("~")), root):  # noqa: PTH111 - it leaves a `~` nobody knows
        raise InvalidInput(f"{root} holds all that is yours, and would be walked whole; name the folder of the notes.")
    for other in load_mounts(home.path):
        if other.path != root and (_lies_in(root, other.path) or _lies_in(other.path, root)):
            raise InvalidInput(f"{root} overlaps with {other.path}, which is mounted; `hardwon mount --remove` one.")
    return Mount(root, _projects(home, root, projects, everywhere=everywhere))


def _projects(home: Home, root: str, projects: Sequence[str], *, everywhere: bool) -> tuple[str, ...]:
    """Return the projects that a folder is shown in; none for everywhere. Raises UsageError."""
    from hardwon.kernel.identity import identify
    from hardwon.kernel.use_cases.projects import load_projects

    if everywhere and projects:
        raise UsageError("A folder is shown in projects or everywhere; give --project or --global, not both.")
    if everywhere:
        return ()
    book = load_projects(home)
    identity = None if projects else identify(root)
    if identity is not None and identity.named_by == "folder":
        identity = None  # a folder of notes is no project because it is a folder
    names = list(projects) or ([identity.key] if identity else [])
    if not names:
        raise UsageError(f"{root} lies in no repository; say for whom it is by --project NAME, or --global.")
    return tuple(dict.fromkeys(str(book.canonical(name)) for name in names))


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


@contextmanager
def _changing(home: Home) -> Iterator[Callable[[Callable[[list[Mount]], list[Mount]]], None]]:
    """Change the list while nobody else does. Raises StoreBusy, StoreError."""
    from hardwon.kernel import background
    from hardwon.kernel.mounts import load_mounts, save_mounts

    try:
        with background.alone(home.path / LOCK, PATIENCE) as free:
            if not free:
                raise StoreBusy("Another process is changing what is mounted; try again when it is done.")
            yield lambda change: save_mounts(home.path, change(load_mounts(home.path)))
    except OSError as error:
        raise StoreError(f"{home.path} cannot be written to ({error.strerror}); permit it, then repeat.") from None


def _removed(home: Home, path: str) -> Report:
    """Let go of a folder, also of one that is no longer there."""
    from hardwon.kernel.mounts import load_mounts
    from hardwon.stores.mounts.tables import index_path, remove

    names = {path, os.path.realpath(os.path.expanduser(path))}  # noqa: PTH111 - it leaves a `~` nobody knows
    found = next((each for each in load_mounts(home.path) if each.path in names), None)
    if found is None:
        raise NotFound(f"{path} is not mounted; `hardwon mount` lists what is.")
    with _changing(home) as change:
        change(lambda mounts: [each for each in mounts if each.path != found.path])
    remove(index_path(home.path, found.path))
    return Report({"removed": found.path}, f"{found.path} is no longer searched; its files are as they were.")


def _listed(home: Home, mounts: Sequence[Mount]) -> Report:
    """Tell how mounted folders stand, after reading what changed in them."""
    from hardwon.stores.mounts.notes import Notes

    notes = Notes(home)
    told: list[tuple[dict[str, Any], str]] = []
    for each in mounts:
        try:
            told.append(_told(each, notes.refresh(each)))
        except StoreError as error:
            told.append(({"path": each.path, "error": str(error)}, f"**{each.path}**: {error}"))
    failed = any("error" in data or data["away"] for data, _ in told)
    text = "\n\n".join(text for _, text in told) or "Nothing is mounted; `hardwon mount PATH` does it."
    return Report({"mounts": [data for data, _ in told]}, text, failed=failed)


def _told(mount: Mount, standing: Standing) -> tuple[dict[str, Any], str]:
    from hardwon.stores.mounts.notes import away

    place = f"in {', '.join(mount.projects)}" if mount.projects else "everywhere"
    lines = [f"**{mount.path}**, shown {place}: {counted(standing.notes, 'note')}."]
    if standing.is_away:
        lines = [f"**{mount.path}**, shown {place}. {away(standing)}"]
    for reason in sorted(set(standing.passed.values())):
        paths = sorted(path for path, why in standing.passed.items() if why == reason)
        more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
        lines.append(f"- passed over, {reason}: {', '.join(paths[:NAMED])}{more}")
    if standing.waiting:
        lines.append(f"- {counted(standing.waiting, 'note')} changed and cannot be read in now")
    data = {
        "path": mount.path,
        "projects": list(mount.projects),
        "notes": standing.notes,
        "away": standing.is_away,
        "waiting": standing.waiting,
        "passed_over": dict(sorted(standing.passed.items())),
    }
    return data, "\n".join(lines)


MOUNT = Action(mount, "mount docs")
