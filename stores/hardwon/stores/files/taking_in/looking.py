"""Compares the disk with the index, folder by folder, by the stat of every file.

A folder whose files are all as the index knows them has a fingerprint, which the index keeps until one of its rows
changes. So an unchanged folder costs a scan, a stat a file and one comparison; only in a folder that differs are files
compared one by one. A file that changed just before it was read may have changed again within the same tick of the
clock, which no stat shows: its content is compared as well (git calls such files racily clean).
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.stores.files.atomic.disk import LARGEST, Stat, is_text
from hardwon.stores.files.notes.copies import LEFTOVER_ENDINGS, is_unfinished, placeholder_of
from hardwon.stores.files.taking_in.spelling import as_written
from hardwon.stores.search.statements import stat_values, time_value

if TYPE_CHECKING:
    from hardwon.stores.files.indexing.index import Index
    from hardwon.stores.files.workspace import Workspace

_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass
class Difference:
    """What a look found other than the index knows it."""

    changed: dict[str, Stat] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    folders: dict[str, int] = field(default_factory=dict)
    """When names in each folder last changed; no difference by itself."""
    too_large: list[str] = field(default_factory=list)
    """Files that are passed over for their size; what they said when they were smaller stays."""
    as_known: list[tuple[str, bytes]] = field(default_factory=list)
    """Folders, with their fingerprint, that were compared file by file and hold what the index knows."""
    settled: dict[str, Stat] = field(default_factory=dict)
    """Files that may have changed by their stat, and are what was read."""
    forgotten: list[str] = field(default_factory=list)
    """Folders that are not there, and of which the index knows no file."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.gone)

    @property
    def is_worth_keeping(self) -> bool:
        """Tell whether the next look will be quicker for what this one learned."""
        return bool(self.as_known or self.settled or self.forgotten)


@dataclass(slots=True)
class Folder:
    """What a folder holds: a line a file, `name/size/mtime_ns/inode/changed_ns`, so that a walk makes few objects."""

    path: str
    """Below the root, with a `/` at the end; empty for the root itself."""
    changed_at: int = 0
    """When names in it last changed (nanoseconds), as it was before they were read."""
    lines: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    """The folders in it."""
    too_large: list[str] = field(default_factory=list)
    is_reachable: bool = False

    @property
    def fingerprint(self) -> bytes:
        """Return what tells this content from another."""
        return hashlib.blake2b("\n".join(self.lines).encode(), digest_size=16).digest()

    def files(self) -> Iterator[tuple[str, Stat]]:
        """Walk its files: path below the root, and stat."""
        for line in self.lines:
            name, size, mtime_ns, inode, changed_ns = line.rsplit("/", 4)
            values = stat_values(int(size), int(mtime_ns), int(inode))
            yield f"{self.path}{name}", Stat(*values, time_value(int(changed_ns)))


def walk(root: Path) -> Iterator[Folder]:
    """Walk the folders below `root`, with every regular file that is not hidden, temporary or larger than 16 MB.

    Symbolic links are not followed: they would lead out of the memory. Raises OSError when `root` itself is not there.
    """
    pending = [""]
    while pending:
        folder = Folder(pending.pop())
        try:
            _read(f"{root}/{folder.path}", folder)
            folder.is_reachable = True
        except OSError:
            if not folder.path:
                raise
        pending += reversed(folder.below)
        yield folder


def _read(place: str, folder: Folder) -> None:
    descriptor = os.open(place, _FLAGS)
    try:
        folder.changed_at = os.fstat(descriptor).st_mtime_ns
        with os.scandir(descriptor) as entries:  # by descriptor: a stat then looks for one name, not for a path
            for entry in entries:
                name = entry.name
                if not name.isascii():
                    name = as_written(descriptor, entry)
                if name[0] in ".~#" and (name[0] == "." or is_unfinished(name)):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folder.below.append(f"{folder.path}{name}/")
                elif (name.endswith(".md") or not name.lower().endswith(LEFTOVER_ENDINGS)) and (found := _stat(entry)):
                    if found.st_size > LARGEST:
                        folder.too_large.append(folder.path + name)
                    else:
                        folder.lines.append(
                            f"{name}/{found.st_size}/{found.st_mtime_ns}/{found.st_ino}/{found.st_ctime_ns}"
                        )
    finally:
        os.close(descriptor)


def _stat(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return the stat of a regular file of ours; None for what is gone, or named in no encoding."""
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) and (entry.name.isascii() or is_text(entry.name)) else None


def difference(workspace: Workspace) -> Difference:
    """Compare all files with what the index knows of them. What cannot be reached counts as unchanged."""
    result = Difference()
    if not workspace.memory.is_dir():
        return result
    known = {f"{row[0]}/" if row[0] else "": row[1] for row in workspace.index.rows("SELECT folder, seen FROM folders")}
    unreachable: list[str] = []
    for folder in walk(workspace.memory):
        seen = known.pop(folder.path, None)
        if not folder.is_reachable:
            unreachable.append(folder.path)
            continue
        result.folders[folder.path] = folder.changed_at
        result.too_large += folder.too_large
        fingerprint = folder.fingerprint
        if seen != fingerprint and not _compare(workspace, folder, result):
            result.as_known.append((folder.path.rstrip("/"), fingerprint))
    for path in known:  # what is left lies in folders that are not there
        if not path.startswith(tuple(unreachable)):
            files = _known_files(workspace, path)
            result.gone += [each for each in files if _is_gone(workspace, each)]
            result.forgotten += [] if files else [path.rstrip("/")]
    _look_twice(workspace, result)
    return result


def keep_look(index: Index, found: Difference) -> None:
    """Keep what a look learned that makes the next one quicker, in the caller's transaction."""
    index.run_many(
        "UPDATE files SET recent = 0, changed_ns = ? WHERE path = ?",
        [(stat.changed_ns, path) for path, stat in found.settled.items()],
    )
    # After the files: a folder is not seen any more when one of its rows changes.
    index.run_many("INSERT OR REPLACE INTO folders (folder, seen) VALUES (?, ?)", found.as_known)
    index.run_many("DELETE FROM folders WHERE folder = ?", [(folder,) for folder in found.forgotten])


def _known_files(workspace: Workspace, folder: str) -> dict[str, Stat]:
    sql = "SELECT path, size, mtime_ns, inode, changed_ns FROM files WHERE folder = ? AND size IS NOT NULL"
    return {row[0]: Stat(*row[1:]) for row in workspace.index.rows(sql, (folder.rstrip("/"),))}


def _compare(workspace: Workspace, folder: Folder, result: Difference) -> bool:
    """Compare the files of a folder one by one; return whether one differs."""
    known = _known_files(workspace, folder.path)
    differs = False
    for path, found in folder.files():
        before = known.pop(path, None)
        if before != found and not _is_only_touched(workspace, path, before, found, result):
            differs = True
    # One that was passed over, or that lies behind what is no folder any more, is not gone.
    result.gone += [path for path in known if path not in folder.too_large and _is_gone(workspace, path)]
    return differs or bool(known)


def _is_only_touched(workspace: Workspace, path: str, before: Stat | None, found: Stat, result: Difference) -> bool:
    """Tell whether a file says what was read, and only what is about it changed, such as its mode; else it is noted."""
    known = workspace.known(path)
    if known is None or not found.is_alike(before) or not workspace.has_content(path, known.hash):
        result.changed[path] = found
        return False
    if found.may_hide_a_change(time.time_ns()):
        return False
    result.settled[path] = found
    return True


def _look_twice(workspace: Workspace, result: Difference) -> None:
    """Compare the content of files that had changed just before they were read."""
    rows = workspace.index.rows("SELECT path, hash, size, mtime_ns, inode, changed_ns FROM files WHERE recent = 1")
    for path, name, *known in rows:
        found = workspace.stat(path)
        if found is None or found != tuple(known):
            continue  # that is a difference which the walk found
        if not workspace.has_content(path, name):
            result.changed[path] = found
        elif not found.may_hide_a_change(time.time_ns()):
            result.settled[path] = found


def _is_gone(workspace: Workspace, path: str) -> bool:
    """Tell whether a file is really missing: not where a folder above it is now a link, a file or something else.

    Nor where a sync tool put a placeholder in its place, which it fetches the content for when it is opened.
    """
    above = workspace.memory
    for folder in path.split("/")[:-1]:
        above /= folder
        try:
            if not stat.S_ISDIR(above.lstat().st_mode):
                return False
        except FileNotFoundError:
            return True
        except OSError:
            return False
    return not os.path.lexists(placeholder_of(str(workspace.path(path))))
