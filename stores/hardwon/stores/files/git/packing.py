"""Loose objects of the history gathered into packs: a change leaves some eight files, a pack holds thousands in two.

Nothing is ever left out: whatever the repository holds, referred to or not, is in the new pack, on disk and listed in
its index, before the file that held it goes. So a kill, a power cut or another git at work loses nothing.
"""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.whole_file import sync_folder
from hardwon.stores.files.git.repository import git

if TYPE_CHECKING:
    from hardwon.stores.files.git.repository import Repository

MANY_LOOSE = 2000
"""Objects in files of their own from which on they are packed."""
MANY_PACKS = 30
"""Packs from which on all become one."""
_SAMPLE, _FOLDERS = "17", 256
"""As git does, one of the 256 folders stands for all: names are evenly spread."""


def is_due(git_folder: Path) -> bool:
    """Tell whether packing is worth it; costs two looks into folders."""
    objects = git_folder / "objects"
    return _count(objects / _SAMPLE) * _FOLDERS > MANY_LOOSE or _count(objects / "pack", ".pack") > MANY_PACKS


def _count(folder: Path, ending: str = "") -> int:
    try:
        return sum(name.endswith(ending) for name in os.listdir(folder))  # noqa: PTH208 - names are enough
    except OSError:
        return 0


def pack_loose(repository: Repository) -> int:
    """Pack loose objects, and all packs into one where there are many; return how many files went.

    Raises pygit2.GitError, OSError when the history cannot be read or written; then nothing went.
    """
    folder = repository.common_folder / "objects"
    loose = dict(_loose(folder))
    old = [path for path in (folder / "pack").glob("pack-*.pack") if not path.with_suffix(".keep").exists()]
    whole = len(old) > MANY_PACKS
    names = _readable(repository, loose)
    if whole:
        names |= {name for path in old for name in names_in(path.with_suffix(".idx"))}
    pack = _write(repository, sorted(names)) if names else None
    if pack is None:
        return 0
    kept = names_in(pack.with_suffix(".idx"))
    gone = [path for name, path in loose.items() if name in kept]
    for path in old if whole else ():
        if path != pack and names_in(path.with_suffix(".idx")) <= kept:
            # Git looks for indexes: without its index, a pack is not used any more.
            gone += [path.with_suffix(".idx"), path, path.with_suffix(".rev")]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


def _loose(objects: Path) -> Iterator[tuple[str, Path]]:
    for folder in objects.iterdir():
        if len(folder.name) == 2 and folder.is_dir():
            for path in folder.iterdir():
                if len(path.name) == 38:
                    yield folder.name + path.name, path


def _readable(repository: Repository, names: dict[str, Path]) -> set[str]:
    """Return the names of the objects that are whole; one that a power cut left empty stays for `git fsck` to name."""
    found = set()
    for name in names:
        with contextlib.suppress(KeyError, ValueError, git().GitError):
            repository.raw.read(name)
            found.add(name)
    return found


def _write(repository: Repository, names: Sequence[str]) -> Path | None:
    """Write a pack of these objects and wait until it is on disk; return its path."""
    builder = git().PackBuilder(repository.raw)
    builder.set_threads(1)
    for name in names:
        builder.add(git().Oid(hex=name))
    folder = repository.common_folder / "objects" / "pack"
    before = set(folder.glob("pack-*.idx"))
    builder.write()
    every = set(folder.glob("pack-*.idx"))
    written = every - before or every  # one that was cut off may have written the same pack already
    for path in written:
        for part in (path, path.with_suffix(".pack")):
            with part.open("rb") as file:
                os.fsync(file.fileno())
    sync_folder(folder)
    wanted = set(names)
    return next((path.with_suffix(".pack") for path in written if wanted <= names_in(path)), None)


def names_in(index: Path) -> set[str]:
    """Return the names of the objects in a pack, from its index (version 2, git-scm.com/docs/pack-format)."""
    data = index.read_bytes()
    if data[:8] != b"\xfftOc\0\0\0\2":
        return set()
    start = 8 + 4 * _FOLDERS
    (count,) = struct.unpack(">I", data[start - 4 : start])
    return {data[at : at + 20].hex() for at in range(start, start + 20 * count, 20)}
