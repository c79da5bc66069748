"""However the nearest are looked for, enough of them are found; a way that is not there is made up for by a scan."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from hardwon.stores.search import space as space_module
from hardwon.stores.search.impostors import Impostors
from hardwon.stores.search.near import Near
from hardwon.stores.search.recall_at_ten import BOUNDS, nearest, share_found
from hardwon.stores.search.space import Space
from hardwon.stores.vectors import arranging, graph
from hardwon.stores.vectors.arranging import way_for
from hardwon.stores.vectors.collection import Collection
from hardwon.stores.vectors.planes import planes_of
from hardwon.stores.vectors.segment import segment_of
from hardwon.stores.vectors.selecting import Way, largest
from hardwon.stores.vectors.texts import TEXT

Making = Callable[..., Any]
COUNT, DIMENSIONS = 12_000, 64
MEASURE = Impostors(
    np.full(DIMENSIONS, 0.1, np.float32),
    np.zeros((2, DIMENSIONS), np.float32),
    np.zeros(2, np.float32),
    np.array([1.0, 2.0], np.float32),
)
"""Chinese texts are measured by a wider deviation: their order against the others differs from that of cosines."""


def needs_usearch() -> None:
    if not graph.is_installed():
        pytest.skip("usearch is not installed: the extra hnsw")


@pytest.fixture(scope="module")
def arranged(make_store: Making, tmp_path_factory: pytest.TempPathFactory) -> dict[Way, Collection]:
    """Return a collection of some 18,000 texts in clusters and in a narrow cone, made ready for each way."""
    needs_usearch()
    store = make_store(COUNT, DIMENSIONS)
    for number in range(1, COUNT, 50):
        store.remove(number)
    found: dict[Way, Collection] = {}
    with pytest.MonkeyPatch.context() as patch:
        for way in ("scan", "codes", "graph"):
            patch.setattr(arranging, "way_for", lambda *_, way=way: way)
            folder = tmp_path_factory.mktemp(way)
            Space("space", DIMENSIONS, store, folder, "auto").arrange(store)
            found[cast("Way", way)] = Space("space", DIMENSIONS, store, folder, "auto").bring_up_to_date(store)
    return found


def asked(count: int) -> list[Any]:
    chance = np.random.default_rng(5)
    made = chance.standard_normal((count, DIMENSIONS)) + 2.0
    return list((made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))


@pytest.mark.parametrize(
    ("way", "measure"), [("scan", None), ("scan", MEASURE), ("codes", MEASURE), ("graph", MEASURE)]
)
def test_the_ten_nearest_are_found(arranged: dict[Way, Collection], way: Way, measure: Impostors | None) -> None:
    """.99 of them by a scan and by codes, .95 by the graph."""
    collection = arranged[way]
    assert all((each.codes is not None) == (way == "codes") for each in collection.segments)
    assert all((each.graph is not None) == (way == "graph") for each in collection.segments)
    nears = [Near(collection, question, measure, way) for question in asked(30)]
    shares = [share_found(near, ten) for near, ten in zip(nears, nearest(collection, nears), strict=True)]
    assert sum(shares) / len(shares) >= BOUNDS[way]


@pytest.mark.parametrize("way", ["scan", "codes", "graph"])
@pytest.mark.parametrize("size", [3, 900, 5000])
def test_within_some_documents_the_nearest_are_found(arranged: dict[Way, Collection], way: Way, size: int) -> None:
    """Among those of a project, however few of all they are; never one that is not of it."""
    collection = arranged[way]
    within = set(random.Random(size).sample(range(1, COUNT + 1), size))
    for question in asked(5):
        near = Near(collection, question, MEASURE, way)
        best = near.best(30, within)
        assert set(best) <= within
        everyone = Near(collection, question, MEASURE, "scan")
        expected = [number for number in everyone.best(COUNT) if number in within][:30]
        assert len(set(best) & set(expected)) >= 0.99 * len(expected)


@pytest.mark.parametrize("way", ["scan", "codes", "graph"])
def test_floor_and_ceiling_are_about_the_same_by_any_way(arranged: dict[Way, Collection], way: Way) -> None:
    """The floor is a quantile of a sample where there are many: off by less than a tenth of the width."""
    collection = arranged[way]
    for question in asked(5):
        near = Near(collection, question, MEASURE, way)
        near.look_up(range(1, COUNT + 1))
        values = np.array([each.value for number in range(1, COUNT + 1) if (each := near.measured(number))])
        width = values.max() - np.quantile(values, 0.05)
        assert near.ceiling == pytest.approx(values.max(), abs=1e-5)
        assert near.floor == pytest.approx(float(np.quantile(values, 0.05)), abs=0.05 * width)


def test_the_largest_of_many_are_found_by_a_sample() -> None:
    values = np.random.default_rng(0).standard_normal(200_000).astype(np.float32)
    for most in (1, 100, 2000, 150_000):
        places = largest(values, most)
        expected = set(np.argsort(-values)[:most].tolist())
        assert expected <= set(places.tolist())
        assert len(places) < 2 * most + 1000


def test_many_equal_values_are_no_trouble() -> None:
    """As where one text is kept a hundred thousand times."""
    values = np.zeros(100_000, np.float32)
    values[7] = 1.0
    assert 7 in largest(values, 10)


def made_up(rows: int) -> Collection:
    """Return a collection that says to have so many rows."""
    texts = np.zeros(1, TEXT)

    class Large(type(segment_of(texts, planes_of(np.ones((1, 4), np.float32))))):  # type: ignore[misc]
        def __len__(self) -> int:
            return rows

    small = segment_of(texts, planes_of(np.ones((1, 4), np.float32)))
    return Collection("space", 384, segments=(Large(small.language, small.numbers, small.keys, small.planes),))


@pytest.mark.parametrize(
    ("rows", "setting", "installed", "way"),
    [
        (1_000, "auto", True, "scan"),
        (1_000_000, "auto", True, "scan"),
        (1_000_001, "auto", True, "graph"),
        (1_000_001, "auto", False, "scan"),
        (5_000_000, "exact", True, "scan"),
        (10_000, "hnsw", True, "graph"),
        (10_000, "hnsw", False, "scan"),
        (9_000_000, "auto", False, "codes"),
    ],
)
def test_the_setting_and_the_size_choose_the_way(
    monkeypatch: pytest.MonkeyPatch, rows: int, setting: Any, installed: bool, way: Way
) -> None:
    """On a machine of eight gigabytes: nine million vectors take three and a half."""
    monkeypatch.setattr(arranging, "is_installed", lambda: installed)
    monkeypatch.setattr("os.sysconf", lambda name: 4096 if name == "SC_PAGE_SIZE" else 2 * 1024 * 1024)
    assert way_for(made_up(rows), setting) == way


def test_where_usearch_is_missing_the_user_is_told(store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space_module, "is_installed", lambda: False)
    [note] = Space("space", 24, store, tmp_path, "hnsw").notes
    assert 'pip install "hardwon[hnsw]"' in note
    assert Space("space", 24, store, tmp_path, "exact").notes == []


@pytest.mark.parametrize(("way", "ending"), [("graph", "*.graph"), ("codes", "*.codes")])
def test_what_speeds_up_is_made_anew_where_it_is_damaged(
    make_store: Making,
    answering: Any,
    questions: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    way: Way,
    ending: str,
) -> None:
    """Until then, everything is scanned; the segment beside it is whole, and no vector is asked for again."""
    needs_usearch()
    monkeypatch.setattr(arranging, "SMALL", 10)
    monkeypatch.setattr(arranging, "way_for", lambda *_: way)
    store = make_store(100)
    answering(store, tmp_path).arrange()
    whole = {path: path.stat().st_size for path in tmp_path.rglob(ending)}
    assert len(whole) == 2
    for path in whole:
        path.write_bytes(b"this is none")
    store.asked = 0
    answering(store, tmp_path).check(questions)
    answering(store, tmp_path).arrange()
    assert store.asked == 0
    assert {path: path.stat().st_size for path in tmp_path.rglob(ending)} == whole


def test_a_graph_is_on_the_disk_before_it_is_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose end a power cut turned to zeros opens as a whole one does, and would find little."""
    needs_usearch()
    waited: list[Path] = []
    monkeypatch.setattr(os, "fsync", lambda file: waited.append(Path(f"/proc/self/fd/{file}").resolve()))
    graph.build_graph(planes_of(np.eye(8, dtype=np.float32)), tmp_path / "a.graph")
    [written, folder] = waited
    assert written.parent == folder == tmp_path.resolve()
    assert [path.name for path in tmp_path.iterdir()] == ["a.graph"]


def test_a_graph_that_has_no_room_leaves_nothing(tmp_path: Path) -> None:
    """What the library says of it becomes the error that everybody says of a full disk."""
    needs_usearch()
    with pytest.raises(OSError, match=r"\w"):
        graph.build_graph(planes_of(np.eye(8, dtype=np.float32)), tmp_path / "nowhere" / "a.graph")
    assert list(tmp_path.iterdir()) == []
