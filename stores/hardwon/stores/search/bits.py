"""Sets of documents as whole numbers, a bit a document: and, or and counting take some 10 µs a million documents.

Weighted sums are bit-sliced: a plane holds one binary digit of every document's sum, and adding a term to all of them
is a few operations on whole planes (O'Neil & Quass, Improved query performance with variant indexes, 1997). The sum of
every document over every term costs less than reading one long list of postings, and nothing has to be left out.
Standard library alone, since the hook program searches too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

_FLAGS = [1 << place for place in range(8)]
_STRIDE = 64
"""Bytes that are looked through together: of a longer number, each bit that is taken out copies more."""
_EMPTY = bytes(_STRIDE)


def set_flags(flags: bytearray, numbers: Iterable[int]) -> None:
    """Set the bits of these numbers. Raises IndexError for one beyond the flags."""
    for number in numbers:
        flags[number >> 3] |= _FLAGS[number & 7]


def bits_of(numbers: Sequence[int] | set[int]) -> int:
    """Return a set of numbers as bits."""
    if not numbers:
        return 0
    flags = bytearray((max(numbers) >> 3) + 1)
    set_flags(flags, numbers)
    return int.from_bytes(flags, "little")


def numbers_of(bits: int) -> Iterator[int]:
    """Walk the numbers of a set, the highest first."""
    flags = bits.to_bytes((bits.bit_length() + 7) // 8, "big")
    for start in range(0, len(flags), _STRIDE):
        part = flags[start : start + _STRIDE]
        if part != _EMPTY:
            lowest = 8 * (len(flags) - start - len(part))
            left = int.from_bytes(part, "big")
            while left:
                place = left.bit_length() - 1
                yield lowest + place
                left ^= 1 << place


class Sums:
    """What each document weighs over several sets that it may be in."""

    def __init__(self) -> None:
        self._planes: list[int] = []

    def add(self, bits: int, weight: int) -> None:
        """Let the documents of a set weigh so much more, at least 1."""
        for place in range(weight.bit_length()):
            if weight >> place & 1:
                self._carry(bits, place)

    def _carry(self, carry: int, place: int) -> None:
        while carry:
            while place >= len(self._planes):
                self._planes.append(0)
            plane = self._planes[place]
            self._planes[place], carry = plane ^ carry, plane & carry
            place += 1

    def best(self, most: int, within: int | None = None) -> list[int]:
        """Return the documents that weigh most, the heaviest first and of equal ones the newest."""
        heavier, equal, wanted = self._parted(most, within)
        numbers = [*numbers_of(heavier), *islice(numbers_of(equal), wanted)]
        if len(numbers) < 2:
            return numbers
        # The heaviest first, and of equal ones the newest, which has the highest number.
        return [number for _, number in sorted(zip(self._weights(numbers), numbers, strict=True), reverse=True)]

    def _parted(self, most: int, within: int | None) -> tuple[int, int, int]:
        """Return a set that is in for sure, one of equal weight that has more than enough, and how many it gives."""
        left = 0
        for plane in self._planes:
            left |= plane
        if within is not None:
            left &= within
        chosen, wanted = 0, most
        for plane in reversed(self._planes):
            upper = left & plane
            count = upper.bit_count()
            if count > wanted:
                left = upper
            else:
                chosen |= upper
                wanted -= count
                left ^= upper
        return chosen, left, wanted

    def _weights(self, numbers: Sequence[int]) -> list[int]:
        """Return what some documents weigh, in their order."""
        size = (max(numbers) >> 3) + 1
        places = [(number >> 3, _FLAGS[number & 7]) for number in numbers]
        weights = [0] * len(numbers)
        for place, plane in enumerate(self._planes):
            flags, worth = plane.to_bytes(max(size, (plane.bit_length() + 7) // 8), "little"), 1 << place
            weights = [
                weight + worth if flags[at] & flag else weight
                for weight, (at, flag) in zip(weights, places, strict=True)
            ]
        return weights
