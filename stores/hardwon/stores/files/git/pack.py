"""Many contents as one pack of the history: a bulk import would otherwise leave a file for each of them.

A pack (version 2) is the objects, compressed, one behind the other, with a checksum; its index is their sorted names
with checksums and places. The format is git's own (git-scm.com/docs/pack-format), without deltas.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

from hardwon.stores.files.atomic.disk import write_whole

MANY = 100
"""From how many contents on a pack is worth its two files."""
LARGEST = 2**30
"""Bytes of a pack; offsets of more than 31 bits would need another table."""
_BLOB = 3
_LEVEL = 1
_UNFINISHED = "tmp_pack_"
"""How git names what is not whole yet, by which `git gc` takes away what a kill left."""


def write_pack(git_folder: Path, contents: Sequence[bytes]) -> list[str]:
    """Keep contents in the repository of `git_folder`; return git's name of each. Raises StoreError."""
    names = [hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest() for data in contents]
    places: dict[bytes, tuple[int, int]] = {}
    unique = dict(zip(names, contents, strict=True))
    pieces = [b"PACK" + struct.pack(">II", 2, len(unique))]
    offset = len(pieces[0])
    for name, data in unique.items():
        piece = _header(len(data)) + zlib.compress(data, _LEVEL)
        places[name] = (offset, zlib.crc32(piece))
        pieces.append(piece)
        offset += len(piece)
    pack = b"".join(pieces)
    checksum = hashlib.sha1(pack, usedforsecurity=False).digest()
    stem = git_folder / "objects" / "pack" / f"pack-{checksum.hex()}"
    # Git looks for indexes: the pack is there before anyone can ask for it.
    write_whole(stem.with_suffix(".pack"), pack + checksum, durable=False, named=_UNFINISHED)
    write_whole(stem.with_suffix(".idx"), _index(places, checksum), durable=False, named=_UNFINISHED)
    return [name.hex() for name in names]


def _header(size: int) -> bytes:
    """Return the type and size of an object: four bits of the size, then seven a byte, lowest first."""
    result = bytearray()
    byte = (_BLOB << 4) | (size & 15)
    size >>= 4
    while size:
        result.append(byte | 0x80)
        byte = size & 0x7F
        size >>= 7
    result.append(byte)
    return bytes(result)


def _index(places: dict[bytes, tuple[int, int]], checksum: bytes) -> bytes:
    names = sorted(places)
    counts = [0] * 256
    for name in names:
        counts[name[0]] += 1
    sums = [sum(counts[: byte + 1]) for byte in range(256)]
    table = b"".join(
        [
            b"\xfftOc" + struct.pack(">I", 2),
            struct.pack(">256I", *sums),
            *names,
            struct.pack(f">{len(names)}I", *(places[name][1] for name in names)),
            struct.pack(f">{len(names)}I", *(places[name][0] for name in names)),
            checksum,
        ]
    )
    return table + hashlib.sha1(table, usedforsecurity=False).digest()
