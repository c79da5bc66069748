"""The shipped vectors are those of the shipped texts, so that the first night need not embed the catalogue."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hardwon.generalizer import catalogue_vectors as module
from hardwon.generalizer.catalogue import shipped_catalogue
from hardwon.generalizer.catalogue_vectors import FILE, catalogue_vectors
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Embedder
from hardwon.kernel.use_cases.embedding import vector_key
from hardwon.testing.fakes import FakeEmbedder, FakeStorage

OpenHome = Callable[..., Home]
TEXTS = list(dict.fromkeys(text for concept in shipped_catalogue() for text in concept.texts))
REMEDY = "run `python -m hardwon.generalizer.catalogue_vectors` and commit vectors.npz"


def test_every_text_has_its_vector_and_few_vectors_have_no_text() -> None:
    with np.load(FILE) as stored:
        keys = set(map(str, stored["keys"]))
    wanted = set(map(vector_key, TEXTS))
    assert not wanted - keys, f"{len(wanted - keys)} texts have no vector; {REMEDY}"
    assert len(keys - wanted) <= 20, f"{len(keys - wanted)} vectors have no text; {REMEDY}"


def test_the_file_is_small() -> None:
    """An 8-bit integer a component: it is a part of every wheel."""
    with np.load(FILE) as stored:
        assert stored["rows"].dtype == np.int8
    assert FILE.stat().st_size < 3_000_000


def test_the_vectors_are_those_that_the_embedder_makes(bundled: Embedder) -> None:
    """Rounding to 8 bits turns them by less than what matters."""
    some = TEXTS[:: max(1, len(TEXTS) // 40)]
    space, places, rows = module._shipped()
    fresh = np.asarray(bundled.embed(some, "passage"))
    assert space == bundled.name
    kept = rows[[places[vector_key(text)] for text in some]]
    assert (kept * fresh).sum(axis=1).min() > 0.999


def test_the_bundled_embedder_embeds_nothing_of_the_shipped_catalogue(open_home: OpenHome) -> None:
    space, _, _ = module._shipped()
    embedder = FakeEmbedder(name=space, dimensions=384)
    found = catalogue_vectors(open_home(embedder=embedder), shipped_catalogue())
    assert found is not None
    assert (len(found.rows), list(found.texts)) == (len(TEXTS), TEXTS)
    assert embedder.embedded == []


def test_another_embedder_gets_vectors_of_its_own_once(open_home: OpenHome) -> None:
    """Vectors of two spaces never mix, and what was made is kept for the next night."""
    concepts = shipped_catalogue()[:3]
    storage = FakeStorage()
    embedder = FakeEmbedder(name="another-space")
    first = catalogue_vectors(open_home(embedder=embedder, storage=storage), concepts)
    second = catalogue_vectors(open_home(embedder=embedder, storage=storage), concepts)
    assert first is not None
    assert second is not None
    assert sorted(text for text in embedder.embedded if text in first.texts) == sorted(first.texts)
    assert first.rows.shape == (len(first.texts), embedder.dimensions)
    assert np.array_equal(first.rows, second.rows)


def test_without_an_embedder_there_are_none(open_home: OpenHome) -> None:
    assert catalogue_vectors(open_home('embedder = "none"\n'), shipped_catalogue()) is None
