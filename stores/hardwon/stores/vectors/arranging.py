"""The work of the background: everything that has a vector is in place, in few segments, with what speeds them up."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Literal

from hardwon.stores.vectors.collection import Collection
from hardwon.stores.vectors.following import AT_ONCE, Changes, filled, followed
from hardwon.stores.vectors.graph import build_graph, is_installed
from hardwon.stores.vectors.segment import SMALL, Segment
from hardwon.stores.vectors.segment_file import GRAPH, write_codes

if TYPE_CHECKING:
    from hardwon.kernel.ports import Vectors
    from hardwon.stores.vectors.folder import Stamp, VectorFolder
    from hardwon.stores.vectors.selecting import Way

Setting = Literal["auto", "exact", "hnsw"]
GRAPH_FROM = 1_000_000
"""Rows above which `auto` has a graph, where usearch is installed."""
SHARE = 4
"""The rows of a language are written anew as one segment when, of so many, more than one lies beside the largest
segment, or no longer counts."""
MEMORY_SHARE = 4
"""Codes are searched when the coarse planes take more than one in so many bytes of this machine's memory."""
_SAVED_AT_ONCE = 100_000


def way_for(collection: Collection, setting: Setting) -> Way:
    """Return how the collection is searched: what its segments do not have (yet) is made up for by a scan."""
    if setting == "exact":
        return "scan"
    rows = collection.rows
    if is_installed() and (setting == "hnsw" or rows > GRAPH_FROM):
        return "graph"
    return "codes" if rows * collection.dimensions * MEMORY_SHARE > _memory() else "scan"


def _memory() -> float:
    """Return the bytes of this machine's memory; without end where it does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return math.inf


def arranged(folder: VectorFolder, changes: Changes, vectors: Vectors, setting: Setting) -> Collection | None:
    """Bring the folder up to date, and return what lies there; None where another process is at it. Raises OSError."""
    collection, seen = folder.read()
    collection = followed(collection, changes)
    while True:
        more = filled(collection, vectors, AT_ONCE)
        done = more is collection or not len(more.waiting)
        collection = more
        if (done and collection.unsaved) or collection.unsaved >= _SAVED_AT_ONCE:
            if (written := folder.write(collection, seen)) is None:
                return None
            collection, seen = written
        if done:
            break
    return _tidied(folder, collection, seen, setting)


def _tidied(folder: VectorFolder, collection: Collection, seen: Stamp, setting: Setting) -> Collection | None:
    for language in {each.language for each in collection.segments if _is_untidy(collection, each.language)}:
        if (written := folder.rewrite(collection, seen, language)) is None:
            return None
        collection, seen = written
    way = way_for(collection, setting)
    for segment in collection.segments:
        _speed_up(folder, segment, way)
    return folder.read()[0]


def _is_untidy(collection: Collection, language: int) -> bool:
    own = [each for each in collection.segments if each.language == language]
    rows, dead = sum(map(len, own)), sum(each.dead for each in own)
    return max(rows - max(map(len, own)), dead) * SHARE > rows


def _speed_up(folder: VectorFolder, segment: Segment, way: Way) -> None:
    """Make what a segment lacks for this way of searching."""
    if len(segment) <= SMALL:
        return
    path = folder.path_of(segment)
    if way == "codes" and segment.codes is None:
        write_codes(path, segment)
    if way == "graph" and segment.graph is None:
        build_graph(segment.planes, path.with_suffix(GRAPH))
