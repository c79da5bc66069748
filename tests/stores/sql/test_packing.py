"""A vector comes back from a row bit by bit, and takes ten bits a number where it was rounded so."""

from __future__ import annotations

import array
import math

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.kernel.vector_precision import rounded
from hardwon.stores.sql.packing import packed, unpacked

NUMBERS = st.floats(-1e6, 1e6, width=32, allow_nan=False)
VECTORS = st.lists(NUMBERS, min_size=1, max_size=50)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=20))
@example([b"\x00\x00\x81\x7f"])  # a signalling NaN
def test_any_bytes_come_back(vectors: list[bytes]) -> None:
    """Also what no embedder made."""
    assert unpacked(packed(vectors)) == vectors


@settings(deadline=None)
@given(st.lists(VECTORS, max_size=10))
def test_vectors_of_other_programs_come_back(vectors: list[list[float]]) -> None:
    """Numbers that were never rounded, and such as are none."""
    kept = [to_bytes(vector) for vector in vectors] + [to_bytes([math.nan, math.inf, -0.0])]
    assert unpacked(packed(kept)) == kept


@settings(deadline=None)
@given(VECTORS)
def test_a_rounded_vector_is_rounded_no_more(vector: list[float]) -> None:
    """So that what went through one store is the same in another."""
    once = to_bytes(rounded(vector))
    assert to_bytes(rounded(array.array("f", once).tolist())) == once


@settings(deadline=None)
@given(st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=50))
def test_a_rounded_vector_is_near_to_what_it_was(vector: list[float]) -> None:
    """By half a step at most, of which the largest number has 511; so its direction stays."""
    largest = max(map(abs, vector))
    assert all(abs(a - b) <= largest / 1000 for a, b in zip(vector, rounded(vector), strict=True))


@settings(deadline=None)
@given(st.lists(st.floats(0.001, 1.0), min_size=4, max_size=50))
def test_a_rounded_vector_takes_ten_bits_a_number(vector: list[float]) -> None:
    """And five bytes."""
    [kept] = packed([to_bytes(rounded(vector))])
    assert len(kept) == 5 + len(vector) + math.ceil(len(vector) / 4)
