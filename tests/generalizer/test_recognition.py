"""Recognition: cues and meaning say what a lesson is about, neighbours help, and ignorance is no opinion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from hardwon.generalizer import recognition
from hardwon.generalizer.catalogue import read_catalogue
from hardwon.generalizer.cues import CueMatcher
from hardwon.generalizer.evidence import gather
from hardwon.generalizer.recognition import beliefs, build_recogniser, cue_beliefs, share_beliefs
from hardwon.generalizer.words import without_entities, word_vectors
from hardwon.kernel.home import Home
from hardwon.testing.examples import memory

CONCEPTS = read_catalogue(Path(__file__).with_name("small_catalogue.toml"))
PLAIN = build_recogniser(CONCEPTS, None)


def scores(*texts: str) -> Any:
    return PLAIN.scores(texts, None)


def test_more_cues_say_more_up_to_a_limit() -> None:
    none, one, two = scores("Nothing.", "The certificate expired.", "The certificate expired, then renewal failed.")
    assert not none.any()
    assert 0 < one[1] < two[1]
    many = "The certificate expired; certificate renewal; certificates expire; 证书到期"
    assert scores(many)[0].max() == pytest.approx(two.max())


def test_a_catalogue_is_made_ready_once_and_anew_when_a_cue_was_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run looks at lessons several times, and a backtest makes many runs."""
    made: list[CueMatcher] = []

    def make(cues: Sequence[Sequence[str]]) -> CueMatcher:
        made.append(CueMatcher(cues))
        return made[-1]

    monkeypatch.setattr(recognition, "CueMatcher", make)
    before = [replace(concept, cues=(*concept.cues, "firefly")) for concept in CONCEPTS]
    for _ in range(3):
        assert build_recogniser(before, None).scores(["The mascot is a firefly."], None).all()
    assert len(made) == 1
    edited = [replace(concept, cues=(*concept.cues, "glow worm")) for concept in CONCEPTS]
    assert not build_recogniser(edited, None).scores(["The mascot is a firefly."], None).any()
    assert len(made) == 2


def test_what_was_never_recognised_is_believed_of_nothing() -> None:
    """So two texts without a cue are not alike for that."""
    assert not cue_beliefs(scores("The mascot is a firefly.", "Press the button.")).any()


def test_beliefs_are_shares() -> None:
    told = scores("The certificate expired.", "A float for a price, in a certificate that expired.")
    for found in (beliefs(told), cue_beliefs(told)):
        assert found.min() >= 0
        assert np.allclose(found.sum(axis=1), 1, atol=1e-5)
        assert found[0].argmax() == 1
        assert found[1, 1] == pytest.approx(found[1, 2])


def test_neighbours_lend_their_belief() -> None:
    """A lesson that says little goes with its neighbours; one that is sure is not talked out of it."""
    own = np.array([[0.3, 0, 0], [0.3, 0, 0], [0.01, 0, 0], [0, 0, 0.4]], dtype=np.float32)
    near = np.full((4, 4), 0.8, dtype=np.float32) - 0.8 * np.eye(4, dtype=np.float32)
    alone, together = beliefs(own), share_beliefs(own, sparse.csr_matrix(near))
    assert together[2, 0] > alone[2, 0]
    assert together[2, 0] > 0.9
    assert together[3].argmax() == 2
    assert np.allclose(share_beliefs(own, sparse.csr_matrix((4, 4), dtype=np.float32)), alone)


def test_similarities_are_shares_and_the_same_from_both_sides(plain_home: Home) -> None:
    """0 between a lesson and itself, whatever block is asked for."""
    texts = ("The certificate expired.", "Certificates expire.", "A float for a price.", "Anything else.", "", "缓存")
    evidence = gather(plain_home, [memory(text, "p") for text in texts], CONCEPTS)
    every = range(len(texts))
    whole = evidence.similar(every, every)
    assert np.allclose(whole, whole.T, atol=1e-6)
    assert not whole.diagonal().any()
    assert whole.min() >= 0
    assert whole.max() <= 1 + 1e-6
    assert np.allclose(evidence.similar([3, 0], every), whole[[3, 0]])
    assert np.allclose(evidence.similar([0, 2, 3], [3, 1]), whole[np.ix_([0, 2, 3], [3, 1])])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see https://example.org/a?b=c now", "see now"),
        ("open /etc/hosts and src/main.py", "open and"),
        (r"from a/b-c.d/../e to C:\logs\x or y/ and ./z，见src/main.py。", "from to C: or y/ and ，见 。"),
        (f"deep {'long-name/' * 100}end and {'a' * 100_000}", f"deep and {'a' * 100_000}"),
        ("call make_cache() or MakeCache or cache.make()", "call or or"),
        ("since v1.2.3 and #42 and AB-12", "since and and"),
        ("in larkmail as LARKMAIL", "in as"),
        ("没有名字", "没有名字"),
    ],
)
def test_names_are_no_likeness(text: str, left: str) -> None:
    assert without_entities(text, ["larkmail", "x"]).split() == left.split()


@pytest.mark.parametrize("count", [1, 3, 50])
def test_word_vectors_have_unit_length(count: int) -> None:
    vectors = word_vectors([f"The lock number {number} was held, 锁被占用。" for number in range(count)])
    assert np.allclose(np.sqrt(vectors.multiply(vectors).sum(axis=1)), 1)  # type: ignore[attr-defined]


@pytest.mark.parametrize("texts", [["", "  ", "\n", "#1"], ["The same each night."] * 30], ids=["no word", "one text"])
def test_texts_without_a_telling_word_stop_nothing(plain_home: Home, texts: list[str]) -> None:
    evidence = gather(plain_home, [memory(text, "p") for text in texts], CONCEPTS)
    assert not evidence.similar(range(len(texts)), range(len(texts))).any()
