"""The folder of one space: segments, and a head that names those that hold.

The head is replaced by renaming, after everything that it names is on disk: a crash between any two writes leaves the
state before. One process writes at a time; one that finds another at it keeps in memory what it would have written.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hardwon.kernel import background
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.whole_file import clear_leftovers, write_whole
from hardwon.stores.vectors.collection import Collection
from hardwon.stores.vectors.segment import Segment
from hardwon.stores.vectors.segment_file import CODES, ENDING, GRAPH, read_segment, write_segment
from hardwon.stores.vectors.texts import TEXT

HEAD, LOCK = "head", "lock"
_FORMAT = 1
_TRIES = 3
Stamp = tuple[int, int, int] | None
"""What tells one head from the next; None where there is none."""


class VectorFolder:
    """Where the collection of one space lies."""

    def __init__(self, folder: Path, space: str, dimensions: int) -> None:
        self.path = folder / f"{fingerprint(space)}-v{_FORMAT}"
        self._space = space
        self._dimensions = dimensions

    @property
    def stamp(self) -> Stamp:
        """Return what changes when another process wrote."""
        try:
            found = (self.path / HEAD).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def read(self) -> tuple[Collection, Stamp]:
        """Return what lies there; an empty collection where nothing does, or nothing that can be read."""
        for _ in range(_TRIES):
            stamp = self.stamp
            if stamp is None:
                break
            try:
                return self._read(), stamp
            except FileNotFoundError:  # another process replaced the head and removed what the old one named
                continue
            except (OSError, ValueError, KeyError, TypeError):
                break
        return Collection(self._space, self._dimensions), self.stamp

    def write(self, collection: Collection, seen: Stamp) -> tuple[Collection, Stamp] | None:
        """Write what is not on disk yet; return the collection as it lies there now.

        None where another process is writing, or has since `seen` was read. Raises OSError, as on a full disk.
        """
        return self._changing(collection, seen, lambda each: each)

    def rewrite(self, collection: Collection, seen: Stamp, language: int) -> tuple[Collection, Stamp] | None:
        """Write all segments of a language as one, without what no longer counts. As `write`."""

        def as_one(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
            own = [each for each in segments if each.language == language]
            return (*(each for each in segments if each.language != language), *self._written(own))

        return self._changing(collection, seen, as_one)

    def path_of(self, segment: Segment) -> Path:
        """Return the file of a segment that lies on disk."""
        return self.path / f"{segment.name}{ENDING}"

    def _changing(
        self, collection: Collection, seen: Stamp, change: Callable[[tuple[Segment, ...]], tuple[Segment, ...]]
    ) -> tuple[Collection, Stamp] | None:
        for folder in (self.path.parent, self.path):
            folder.mkdir(mode=0o700, exist_ok=True)
        with background.alone(self.path / LOCK) as free:
            if not free or self.stamp != seen:
                return None
            segments: list[Segment] = []
            for each in change(collection.segments):
                segments += [each] if each.name else self._written([each])
            written = replace(collection, segments=tuple(segments), unsaved=0)
            write_whole(self.path / HEAD, _head(written), durable=True)
            self._clear(written)
            return written, self.stamp

    def _written(self, parts: list[Segment]) -> list[Segment]:
        """Write some segments as one; none where no row of theirs counts."""
        if not any(len(each) - each.dead for each in parts):
            return []
        path = self.path / f"{secrets.token_hex(8)}{ENDING}"
        write_segment(path, parts)
        return [read_segment(path, self._dimensions)]

    def _read(self) -> Collection:
        raw = (self.path / HEAD).read_bytes()
        line, _, body = raw.partition(b"\n")
        head = json.loads(line)
        told = head.pop("sum")
        if head["format"] != _FORMAT or head["dimensions"] != self._dimensions or told != _sum(head, body):
            raise ValueError("the head is of another format or damaged")
        waiting = np.frombuffer(body, TEXT, head["waiting"])
        at = waiting.nbytes
        segments = []
        for name, dead in head["segments"]:
            segment = read_segment(self.path / f"{name}{ENDING}", self._dimensions)
            rows = np.frombuffer(body, "<u4", dead, at).astype(np.intp)
            segments.append(segment.without(rows))
            at += 4 * dead
        return Collection(
            self._space, self._dimensions, head["birth"], head["last"], head["documents"], tuple(segments), waiting
        )

    def _clear(self, collection: Collection) -> None:
        """Remove what the head does not name: other processes that have it open keep it."""
        clear_leftovers(self.path)
        named = {each.name for each in collection.segments}
        for path in self.path.iterdir():
            if path.suffix in (ENDING, CODES, GRAPH) and path.stem not in named:
                with contextlib.suppress(OSError):
                    path.unlink()


def _head(collection: Collection) -> bytes:
    """Return the head: a line of JSON, then the texts that wait, then the rows of each segment that do not count."""
    dead = [_dead(each) for each in collection.segments]
    body = b"".join([collection.waiting.tobytes(), *(rows.tobytes() for rows in dead)])
    head: dict[str, Any] = {
        "format": _FORMAT,
        "space": collection.space,
        "dimensions": collection.dimensions,
        "birth": collection.birth,
        "last": collection.last,
        "documents": collection.documents,
        "waiting": len(collection.waiting),
        "segments": [(each.name, len(rows)) for each, rows in zip(collection.segments, dead, strict=True)],
    }
    return json.dumps({**head, "sum": _sum(head, body)}).encode("utf-8") + b"\n" + body


def _sum(head: dict[str, Any], body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(json.dumps(head).encode("utf-8")))


def _dead(segment: Segment) -> np.typing.NDArray[np.uint32]:
    rows = np.empty(0, np.intp) if segment.alive is None else np.flatnonzero(~segment.alive)
    return rows.astype("<u4")
