"""Contents and folders of the history as files of their own, as git keeps them until they are packed.

Written here and not by libgit2, which hashes with a search for forged collisions and compresses what is random: a
folder of 500 files took it 1.1 ms, and takes 0.5 so. The formats are git's own (Pro Git, 10.2 "Git Objects").
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from bisect import bisect_left, insort
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardwon.kernel.whole_file import write_whole

_LEVELS = {"blob": 1, "tree": 0}
"""How much is done to make an object small: folders are names of random bytes, and small once they are packed."""
_UNFINISHED = "tmp_obj_"
"""How git names what is not whole yet, by which `git gc` takes away what a kill left."""
_FILE, _FOLDER = b"100644 ", b"40000 "
_NAME = 20
"""Bytes of an object's name."""
_ENTRY = re.compile(rb"\d+ [^\0]+\0.{%d}" % _NAME, re.DOTALL)


def write_object(git_folder: Path, kind: str, data: bytes) -> str:
    """Keep an object in the repository of `git_folder`; return git's name of it. Raises OSError."""
    whole = f"{kind} {len(data)}\0".encode() + data
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    place = git_folder / "objects" / name[:2] / name[2:]
    if not _is_kept(place):
        write_whole(place, zlib.compress(whole, _LEVELS[kind]), durable=False, named=_UNFINISHED)
    return name


def _is_kept(place: Path) -> bool:
    """Tell whether an object is there, and let it count as new: `git prune` takes old ones that nothing refers to.

    One that a power cut left empty is not there.
    """
    try:
        if not os.stat(place).st_size:  # noqa: PTH116 - asked of every object
            return False
        os.utime(place)
    except OSError:
        return False
    return True


def changed_tree(git_folder: Path, old: bytes, changes: Mapping[str, Any], read: Callable[[str], bytes]) -> str | None:
    """Write a folder with changes, and those below it; return its name, None when it is empty.

    `old`: what it held; `changes`: by name a mapping for a folder, else the content's name, None removes; `read` gives
    what the folder of a name holds. Raises OSError.
    """
    entries = _ENTRY.findall(old)
    for text, change in changes.items():
        name, mode = text.encode(), _FOLDER if isinstance(change, dict) else _FILE
        place, before = _find(entries, name)
        if isinstance(change, dict):
            below = read(before[-_NAME:].hex()) if before and before.startswith(_FOLDER) else b""
            made = changed_tree(git_folder, below, change, read)
        else:
            made = change
        if made is None and before and before.startswith(_FOLDER) != (mode == _FOLDER):
            continue  # what goes is a file, and this a folder, or the other way round
        if before:
            del entries[place]
        if made is not None:
            insort(entries, b"%s%s\0%s" % (mode, name, bytes.fromhex(made)), key=_order)
    return write_object(git_folder, "tree", b"".join(entries)) if entries else None


def _find(entries: Sequence[bytes], name: bytes) -> tuple[int, bytes]:
    """Return where the entry of a name stands, and the entry; empty for none."""
    for key in (name, name + b"/"):
        place = bisect_left(entries, key, key=_order)
        if place < len(entries) and _order(entries[place]) == key:
            return place, entries[place]
    return 0, b""


def _order(entry: bytes) -> bytes:
    """Return what an entry is sorted by: its name, which ends with a `/` where it is a folder."""
    name = entry[entry.index(b" ") + 1 : -_NAME - 1]
    return name + b"/" if entry.startswith(_FOLDER) else name
