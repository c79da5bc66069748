"""Rows kept from run to run: what comes of them is the same with the file, without it and with a broken one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardwon.generalizer.kept_rows import kept_rows

WIDTH = 5
TEXTS = [f"text {number}" for number in range(40)]


class Maker:
    """Makes a text's row of its length and digits; notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> sparse.csr_matrix:
        self.asked += texts
        rows = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            rows[row, len(text) % WIDTH] = sum(map(ord, text)) / 4
        return sparse.csr_matrix(rows)


def expected(texts: Sequence[str]) -> list[list[float]]:
    rows: list[list[float]] = Maker()(texts).toarray().tolist()
    return rows


def test_a_text_is_looked_at_once(tmp_path: Path) -> None:
    path, make = tmp_path / "rows.npz", Maker()
    for texts in (TEXTS[:3], TEXTS[1:5], [TEXTS[4], TEXTS[4], TEXTS[0]]):
        assert kept_rows(path, "one", texts, WIDTH, make).toarray().tolist() == expected(texts)
    assert sorted(make.asked) == sorted(TEXTS[:5])


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "generalizer" / "rows.npz"
    kept_rows(path, "one", TEXTS[:3], WIDTH, Maker())
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_another_basis_makes_every_row_anew(tmp_path: Path) -> None:
    path, make = tmp_path / "rows.npz", Maker()
    kept_rows(path, "one", TEXTS[:3], WIDTH, Maker())
    assert kept_rows(path, "two", TEXTS[:3], WIDTH, make).toarray().tolist() == expected(TEXTS[:3])
    assert make.asked == TEXTS[:3]


@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 10_000), how=st.sampled_from(["cut", "flip", "zeros", "empty"]))
def test_a_damaged_file_is_made_anew(tmp_path_factory: pytest.TempPathFactory, place: int, how: str) -> None:
    """Cut short, changed in a byte, of zeros or empty, as after a power cut: nothing fails, and no row is wrong."""
    path = tmp_path_factory.mktemp("rows") / "rows.npz"
    kept_rows(path, "one", TEXTS, WIDTH, Maker())
    whole = path.read_bytes()
    at = place % len(whole)
    broken = {
        "cut": whole[:at],
        "flip": whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :],
        "zeros": whole[:at] + bytes(len(whole) - at),
        "empty": b"",
    }
    path.write_bytes(broken[how])
    for texts in (TEXTS, TEXTS[3:9]):
        assert kept_rows(path, "one", texts, WIDTH, Maker()).toarray().tolist() == expected(texts)


def test_rows_of_texts_that_are_gone_are_let_go(tmp_path: Path) -> None:
    """But not by a look at a few of them: what it leaves out is still of use."""
    path = tmp_path / "rows.npz"
    kept_rows(path, "one", TEXTS, WIDTH, Maker())
    large = path.stat().st_size
    kept_rows(path, "one", TEXTS[:3], WIDTH, Maker())
    assert path.stat().st_size == large
    kept_rows(path, "one", TEXTS[:25], WIDTH, Maker())
    assert path.stat().st_size < large


def test_where_it_cannot_be_kept_the_rows_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    path.mkdir()
    assert kept_rows(path, "one", TEXTS, WIDTH, Maker()).toarray().tolist() == expected(TEXTS)
    assert [each.name for each in tmp_path.iterdir()] == ["rows.npz"]
