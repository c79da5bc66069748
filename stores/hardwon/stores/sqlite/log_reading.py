"""A file with what its write-ahead log holds, as one image in memory: for where SQLite can write nothing beside it.

SQLite reads a log by a table of its pages in shared memory, which is a file, and makes none where no file may be made.
The format is https://sqlite.org/fileformat2.html#the_write_ahead_log: what a commit ended is true, the rest is not.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

_HEADER, _FRAME = 32, 24
_MAGIC = 0x377F0682
_WAL_VERSIONS = slice(18, 20)
"""Where a database says that it needs a log."""


def whole_image(path: Path) -> bytearray:
    """Return the bytes of the database as of its last commit, as of one that needs no log. Raises OSError."""
    image = bytearray(path.stat().st_size)
    with path.open("rb") as file:
        del image[file.readinto(image) :]
    for size, pages in _commits(Path(f"{path}-wal")):
        for number, page in pages.items():
            start = (number - 1) * len(page)
            image.extend(bytes(max(0, start + len(page) - len(image))))
            image[start : start + len(page)] = page
        del image[size:]
    image[_WAL_VERSIONS] = b"\1\1"
    return image


def is_begun(log: str) -> bool:
    """Tell whether something was written into a log."""
    try:
        file = os.open(log, os.O_RDONLY)  # a connection may be closed as the interpreter ends, which has no `open` left
    except OSError:
        return False
    try:
        return int.from_bytes(os.read(file, 4), "big") | 1 == _MAGIC | 1
    except OSError:
        return False
    finally:
        os.close(file)


def _commits(log: Path) -> Iterator[tuple[int, dict[int, bytes]]]:
    """Walk the commits of a log: how many bytes the database has after it, and the pages that it changed."""
    data = log.read_bytes() if log.exists() else b""
    if len(data) < _HEADER:
        return
    magic, _, size, _, *salts = struct.unpack(">6I", data[:24])
    if magic | 1 != _MAGIC | 1:
        return
    order = ">" if magic & 1 else "<"
    sums = _checksum(data[:24], (0, 0), order)
    if sums != struct.unpack(">2I", data[24:_HEADER]):
        return
    pages: dict[int, bytes] = {}
    for start in range(_HEADER, len(data) - _FRAME - size + 1, _FRAME + size):
        number, after, *rest = struct.unpack(">6I", data[start : start + _FRAME])
        page = data[start + _FRAME : start + _FRAME + size]
        sums = _checksum(page, _checksum(data[start : start + 8], sums, order), order)
        if rest[:2] != salts or tuple(rest[2:]) != sums:
            return
        pages[number] = page
        if after:
            yield after * size, pages
            pages = {}


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
