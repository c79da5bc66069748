"""A segment on disk: one file, written aside and renamed in, never changed, mapped into memory.

A head of 4096 bytes (JSON) says what follows and how long that is; then come numbers, keys, scales, the coarse plane
and the fine one. The codes lie in a file of the same form beside it, made when they are wanted; the graph in usearch's.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwon.kernel.whole_file import write_whole
from hardwon.stores.vectors.codes import Codes, codes_of
from hardwon.stores.vectors.graph import Graph, is_installed
from hardwon.stores.vectors.planes import Planes, fine_width
from hardwon.stores.vectors.segment import Segment
from hardwon.stores.vectors.texts import KEY

ENDING, CODES, GRAPH = ".rows", ".codes", ".graph"
_HEAD = 4096
_FORMAT = 1
_AT_ONCE = 16384
Shape = tuple[str, str, tuple[int, ...]]
"""Of an array in a file: its name, its type, and how many rows and columns it has."""


def write_segment(path: Path, parts: Sequence[Segment]) -> None:
    """Write one segment of the rows of several that count, in the order of their documents. Raises OSError."""
    living = [each.living() for each in parts]
    numbers = np.concatenate([each.numbers[rows] for each, rows in zip(parts, living, strict=True)])
    order = np.argsort(numbers, kind="stable")
    owners = np.repeat(np.arange(len(parts)), [len(rows) for rows in living])[order]
    rows = np.concatenate(living)[order]

    def gathered(arrays: Sequence[NDArray[Any]]) -> Iterator[bytes]:
        """Walk the rows of arrays, one a part, in their new order: little of it is in memory at once."""
        for start in range(0, len(rows), _AT_ONCE):
            some, own = rows[start : start + _AT_ONCE], owners[start : start + _AT_ONCE]
            taken = np.empty((len(some), *arrays[0].shape[1:]), arrays[0].dtype)
            for place, array in enumerate(arrays):
                taken[own == place] = array[some[own == place]]
            yield taken.tobytes()

    dimensions = parts[0].planes.coarse.shape[1]
    head = _head(_shapes(len(rows), dimensions), language=parts[0].language)
    planes = [each.planes for each in parts]
    arrays: tuple[list[NDArray[Any]], ...] = (
        [each.numbers for each in parts],
        [each.keys for each in parts],
        [each.scales for each in planes],
        [each.coarse for each in planes],
        [each.fine for each in planes],
    )
    write_whole(path, _joined(head, *map(gathered, arrays)), durable=True)


def read_segment(path: Path, dimensions: int) -> Segment:
    """Map a segment into memory, with its codes and its graph if it has them.

    Raises ValueError where the file is not what it says it is, OSError where it cannot be read.
    """
    head, arrays = _mapped(path)
    shapes = _shapes(len(arrays["numbers"]), dimensions)
    if [list(each) for each in head["arrays"]] != json.loads(json.dumps(shapes)):
        raise ValueError(f"{path} holds vectors of another kind")
    planes = Planes(arrays["coarse"], arrays["fine"], arrays["scales"])
    segment = Segment(head["language"], arrays["numbers"], arrays["keys"], planes, name=path.stem)
    return replace(segment, codes=_read_codes(path, len(segment)), graph=_read_graph(path, dimensions, len(segment)))


def write_codes(path: Path, segment: Segment) -> None:
    """Write the codes of the segment that lies at `path`, beside it. Raises OSError."""
    codes = codes_of(segment.planes)
    arrays: dict[str, NDArray[Any]] = {
        "mean": codes.mean,
        "bits": codes.bits,
        "ones": codes.ones,
        "lengths": codes.lengths,
    }
    shapes: list[Shape] = [(name, each.dtype.str, each.shape) for name, each in arrays.items()]
    write_whole(
        path.with_suffix(CODES), _joined(_head(shapes), *([each.tobytes()] for each in arrays.values())), durable=True
    )


def _read_codes(path: Path, rows: int) -> Codes | None:
    """Map the codes of a segment; None where there are none, or damaged ones: the segment itself is as good."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        _, arrays = _mapped(path.with_suffix(CODES))
        if len(arrays["bits"]) == rows:
            return Codes(arrays["mean"], arrays["bits"], arrays["ones"], arrays["lengths"])
    return None


def _read_graph(path: Path, dimensions: int, rows: int) -> Graph | None:
    """Map the graph of a segment; None where there is none, or a damaged one."""
    beside = path.with_suffix(GRAPH)
    if not beside.exists() or not is_installed():
        return None
    with contextlib.suppress(RuntimeError):  # usearch's word for a file that is none of its own
        graph = Graph(beside, dimensions)
        if len(graph) == rows:
            return graph
    return None


def _shapes(rows: int, dimensions: int) -> list[Shape]:
    return [
        ("numbers", "<i8", (rows,)),
        ("keys", KEY.str, (rows,)),
        ("scales", "<f4", (rows,)),
        ("coarse", "|i1", (rows, dimensions)),
        ("fine", "|u1", (rows, fine_width(dimensions))),
    ]


def _head(shapes: Sequence[Shape], **further: int) -> bytes:
    head = json.dumps({"format": _FORMAT, "arrays": shapes, **further}).encode("ascii")
    return head.ljust(_HEAD)


def _joined(head: bytes, *parts: Iterator[bytes] | Sequence[bytes]) -> Iterator[bytes]:
    yield head
    for each in parts:
        yield from each


def _mapped(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what a file says of itself, and its arrays. Raises ValueError where its length is another, OSError."""
    with path.open("rb") as file:
        head = json.loads(file.read(_HEAD))  # JSONDecodeError is a ValueError
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise ValueError(f"{path} has another format")
    whole = np.asarray(np.memmap(path, np.uint8, "r"))
    arrays: dict[str, NDArray[Any]] = {}
    at = _HEAD
    for name, kind, shape in head["arrays"]:
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        arrays[name] = whole[at : at + size].view(kind).reshape(shape)
        at += size
    if at != len(whole):
        raise ValueError(f"{path} is not as long as it says")
    return head, arrays
