"""Names that differ only in case or in how Unicode composes them: one file on some systems, two on others.

What hardwon makes never collides so: a new folder goes by the spelling of one that is there, a file ends with its
memory's id, and a moved one gets another name where its own is taken. What a person made stays, and is reported: on a
Mac or on Windows only one of the two would be there after a checkout.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def folded(name: str) -> str:
    """Return what is the same for names that some file system takes for one."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def as_written(descriptor: int, entry: os.DirEntry[str]) -> str:
    """Return an entry's name in the form in which it was written, composed, where the folder takes both for one.

    Old Macs list every name decomposed; the same file answers to both. `descriptor` is the open folder.
    """
    composed = unicodedata.normalize("NFC", entry.name)
    if composed == entry.name:
        return composed
    try:
        is_same = os.stat(composed, dir_fd=descriptor, follow_symlinks=False).st_ino == entry.inode()
    except OSError:
        return entry.name
    return composed if is_same else entry.name


def with_known_folders(workspace: Workspace, path: str) -> str:
    """Return a new file's path with its folders spelt as those that are there or are about to be."""
    folder, _, name = path.rpartition("/")
    spelt = workspace.planned.spelt_folders
    if folder not in spelt:
        spelt[folder] = _spelt(workspace, folder)
    return f"{spelt[folder]}/{name}"


def _spelt(workspace: Workspace, folder: str) -> str:
    found, missing = _known_part(workspace, folder.split("/"))
    for part in missing:
        there = _names(workspace, found)
        found = f"{found}{part if part in there else min(_alike(part, there), default=part)}/"
    return found.rstrip("/")


def _known_part(workspace: Workspace, parts: list[str]) -> tuple[str, list[str]]:
    """Return the lowest of these folders that holds a file that is known (with a `/` at the end), and what is below."""
    for depth in range(len(parts), 0, -1):
        folder = "/".join(parts[:depth])
        if workspace.index.rows("SELECT 1 FROM files WHERE folder = ? AND size IS NOT NULL LIMIT 1", (folder,)):
            return f"{folder}/", parts[depth:]
    return "", parts


def _alike(part: str, names: set[str]) -> list[str]:
    wanted = folded(part)
    return [each for each in names if (len(each) == len(wanted) or not each.isascii()) and folded(each) == wanted]


def _names(workspace: Workspace, folder: str) -> set[str]:
    """Return the names in a folder (with a `/` at the end), those of planned folders too."""
    planned = {each[len(folder) :].partition("/")[0] for each in _planned(workspace) if each.startswith(folder)}
    try:
        return planned | set(os.listdir(workspace.path(folder)))  # noqa: PTH208 - names alone
    except OSError:
        return planned


def _planned(workspace: Workspace) -> Iterable[str]:
    return workspace.planned.spelt_folders.values()


def is_taken(workspace: Workspace, path: str) -> bool:
    """Tell whether a path, or one that some system takes for the same, is a file's already."""
    if workspace.exists(path):
        return True
    folder, _, name = path.rpartition("/")
    return folded(name) in map(folded, _names(workspace, f"{folder}/"))


def colliding(paths: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of paths that some system takes for one, by name."""
    seen: dict[str, str] = {}
    found = []
    for path in sorted(paths):
        first = seen.setdefault(folded(path), path)
        if first != path:
            found.append((first, path))
    return found
