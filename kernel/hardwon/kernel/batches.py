"""Taking what is walked in handfuls, so that memory holds one of them and not everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Walk values in lists of `size`, the last one shorter."""
    walked = iter(values)
    while some := list(islice(walked, size)):
        yield some
