"""Vectors as whole numbers: what is scanned is near, what is said is exact, with simsimd and without."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hardwon.kernel.vector_precision import rounded
from hardwon.stores.vectors import dots as dots_module
from hardwon.stores.vectors.codes import codes_of
from hardwon.stores.vectors.dots import differing_bits, dots, products
from hardwon.stores.vectors.graph import is_installed
from hardwon.stores.vectors.planes import planes_of

NUMBERS = st.floats(-1, 1, width=32, allow_subnormal=False)


@given(arrays.arrays(np.float32, st.tuples(st.integers(0, 5), st.integers(1, 40)), elements=NUMBERS))
def test_of_a_rounded_vector_nothing_is_lost(vectors: np.ndarray) -> None:
    """And any vector comes back as it would have been rounded."""
    expected = np.array([rounded(vector) for vector in vectors.tolist()], np.float32).reshape(vectors.shape)
    for given_ones in (vectors, expected):
        assert np.abs(planes_of(given_ones).floats() - expected).max(initial=0.0) <= 1e-29


@pytest.fixture(params=["simsimd", "numpy"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with simsimd, and as where its wheel is missing."""
    if request.param == "numpy":
        monkeypatch.setattr(dots_module, "simd", lambda: None)
    else:
        pytest.importorskip("simsimd", reason="simsimd has no wheel for this machine")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("count", [0, 1, 17_000])
def test_products_with_the_coarse_plane(count: int) -> None:
    chance = np.random.default_rng(count)
    coarse = chance.integers(-127, 128, (count, 48), dtype=np.int8)
    direction = chance.integers(-127, 128, 48).astype(np.float32)
    direction[0] = 127  # so that nothing is lost to rounding
    assert dots(direction, coarse).tolist() == (coarse.astype(np.int64) @ direction.astype(np.int64)).tolist()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal there")
def test_no_reference_is_lost() -> None:
    """Simsimd loses one of None for each array that it is given to write into; the interpreter dies of it."""
    before = sys.getrefcount(None)
    for _ in range(1000):
        dots(np.ones(8, np.float32), np.ones((2, 8), np.int8))
        products(np.ones((2, 8), np.float32), np.ones(8, np.float32))
        differing_bits(np.ones(1, np.uint8), np.ones((2, 1), np.uint8))
    assert sys.getrefcount(None) > before - 100


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("count", [0, 1, 17_000])
def test_bits_in_which_codes_differ(count: int) -> None:
    chance = np.random.default_rng(count)
    codes = chance.integers(0, 256, (count, 6), dtype=np.uint8)
    bits = chance.integers(0, 256, 6, dtype=np.uint8)
    expected = np.unpackbits(codes ^ bits, axis=1).sum(axis=1).tolist() if count else []
    assert differing_bits(bits, codes).tolist() == expected


@pytest.mark.parametrize("first", ["usearch.index", "hardwon.stores.vectors.graph"])
def test_with_usearch_in_the_same_process(first: str) -> None:
    """Loaded after it, simsimd fails at every call; what is found is right all the same, and through us not slower."""
    if not is_installed():
        pytest.skip("usearch is not installed: the extra hnsw")
    program = (
        f"import {first}, numpy\n"
        "from hardwon.stores.vectors import dots, graph\n"
        "graph._made(8)\n"
        "print(dots.simd() is not None, dots.dots(numpy.ones(8, 'f4'), numpy.ones((2, 8), 'i1')).tolist())"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    works, products = run.stdout.split(maxsplit=1)
    assert products.strip() == "[8.0, 8.0]"
    assert works == "True" or first == "usearch.index"


def test_products_by_codes_follow_the_true_ones() -> None:
    """Not to the number, but in their order: correlated by more than .9 on vectors in a narrow cone."""
    chance = np.random.default_rng(3)
    vectors = (chance.standard_normal((5000, 128)) * 0.1 + chance.standard_normal(128)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    direction = chance.standard_normal(128).astype(np.float32)
    products = codes_of(planes_of(vectors)).products(direction)
    assert np.corrcoef(products, vectors @ direction)[0, 1] > 0.7
    assert abs(float(products.mean() - (vectors @ direction).mean())) < 0.01
