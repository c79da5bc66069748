"""Walks a mounted folder: which of its files are notes, and which are passed over, and why.

Nothing outside of the folder is reached, since no link is followed; hidden files and folders are somebody's own affair.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from hardwon.stores.files.notes.copies import is_conflict_copy, is_unfinished
from hardwon.stores.search.statements import stat_values

ENDINGS = (".md", ".markdown")
LARGEST = 1 << 20
"""Bytes of a note; what is larger was made by a program."""
LEAST = 1000
"""Files and folders that are looked at however long it takes: a busy machine leaves nothing of a small tree out."""
DEEPEST = 32
"""Levels of folders, of which a tree that people keep has a handful."""
OF_OTHERS = ("node_modules",)
"""Folders that hold what others wrote."""

HIDDEN = "hidden"
LINK = "a link, and none is followed"
LARGE = f"larger than {LARGEST >> 20} MB"
OTHERS = "a folder of what others wrote"
OWN = "the memory's own folder"
DEEP = f"deeper than {DEEPEST} folders"
NAME = "its name is not UTF-8"
COPY = "a copy that a sync tool laid beside a note"
UNFINISHED = "a file that another program has not finished"
UNREADABLE = "it cannot be read"


@dataclass(frozen=True, slots=True)
class Stat:
    """What tells one version of a note from another."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(slots=True)
class Walked:
    """What was met in a folder."""

    notes: dict[str, Stat] = field(default_factory=dict)
    """By path below the folder, with `/` between."""
    passed: dict[str, str] = field(default_factory=dict)
    """What is passed over: the reason by path; a folder's ends with `/`."""
    unreadable: set[str] = field(default_factory=set)
    """Folders that could not be looked into: what is in them is not gone. The root itself is an empty text."""
    left_out: set[str] = field(default_factory=set)
    """Folders for which there was no time, or not for all of it."""

    def is_out_of_reach(self, path: str) -> bool:
        """Tell whether a note lies in a folder that was not looked into."""
        above = [path[: end + 1] for end, sign in enumerate(path) if sign == "/"]
        return any(folder in self.unreadable or folder in self.left_out for folder in ("", *above))


def stat_of(path: str) -> Stat | None:
    """Return the stat of a note, None where no plain file is there."""
    try:
        return _note_of(os.lstat(path))
    except (OSError, ValueError):
        return None


def _note_of(found: os.stat_result) -> Stat | None:
    if not stat.S_ISREG(found.st_mode):
        return None
    return Stat(*stat_values(found.st_size, found.st_mtime_ns, found.st_ino))


def walk(root: str, own: Collection[str], until: float = float("inf")) -> Walked:
    """Walk a folder; `own` are the memory's folders, which are no notes. What cannot be read is told.

    `until`, on the monotonic clock, is when it is given up; what was not looked at by then is told.
    """
    walked = Walked()
    waiting = [("", 0)]
    met = 0
    while waiting:
        folder, depth = waiting.pop()
        for entry in _entries(root, folder, walked):
            met += 1
            if met > LEAST and time.monotonic() > until:
                walked.left_out |= {folder, *(each for each, _ in waiting)}
                return walked
            path = f"{folder}{entry.name}"
            reason = _why_not(entry)
            if entry.is_dir(follow_symlinks=False):
                reason = reason or _why_no_folder(entry.name, f"{root}/{path}", own, depth)
                if reason is None:
                    waiting.append((f"{path}/", depth + 1))
                else:
                    walked.passed[f"{_told(path)}/"] = reason
            elif _is_note(entry.name, reason) or (reason == LINK and _leads_to_folder(f"{root}/{path}")):
                _take(walked, entry, path, reason)
    return walked


def _entries(root: str, folder: str, walked: Walked) -> Iterator[os.DirEntry[str]]:
    try:
        # By descriptor: a stat then looks for one name, not for a path.
        descriptor = os.open(f"{root}/{folder}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with os.scandir(descriptor) as entries:
                yield from entries
        finally:
            os.close(descriptor)
    except OSError as error:
        walked.unreadable.add(folder)
        if folder:
            walked.passed[_told(folder)] = f"{UNREADABLE} ({error.strerror})"


def _why_not(entry: os.DirEntry[str]) -> str | None:
    """Return why something is passed over, by its name and as a link; None where it is not."""
    name = entry.name
    if not name.isascii() and _told(name) != name:
        return NAME
    if entry.is_symlink():
        return LINK
    if name[0] in ".~#" or not name.endswith(".md"):
        if is_unfinished(name):
            return UNFINISHED
        if name[0] == ".":
            return HIDDEN
    return COPY if is_conflict_copy(name) else None


def _why_no_folder(name: str, path: str, own: Collection[str], depth: int) -> str | None:
    """Return why a folder is passed over for more than its name's form."""
    if name in OF_OTHERS:
        return OTHERS
    if os.path.realpath(path) in own:
        return OWN
    return DEEP if depth >= DEEPEST else None


def _is_note(name: str, reason: str | None) -> bool:
    """Tell whether a file is a note, or what somebody may take for one."""
    lower = name.lower()
    return lower.endswith(ENDINGS) or (reason == UNFINISHED and any(ending in lower for ending in ENDINGS))


def _leads_to_folder(link: str) -> bool:
    """Tell whether a link leads to a folder; one that may not be followed leads nowhere."""
    return os.path.isdir(link)  # noqa: PTH112 - Path.is_dir raises where it may not look


def _take(walked: Walked, entry: os.DirEntry[str], path: str, reason: str | None) -> None:
    """Take a note, or the reason why it is none."""
    if reason is None:
        try:
            found = _note_of(entry.stat(follow_symlinks=False))
        except OSError:  # it is gone since it was listed
            return
        if found is not None and found.size <= LARGEST:
            walked.notes[path] = found
        if found is None or found.size <= LARGEST:
            return
    walked.passed[_told(path)] = reason or LARGE


def _told(path: str) -> str:
    """Return a path as it can be written down, whatever bytes it is made of."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
