"""Confidence moves by evidence, within bounds, and is computed: asking twice changes nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.confidence import Evidence, as_data, effective, from_data, is_denied, weighed
from hardwon.kernel.home import Home
from hardwon.kernel.hook.uses import read_uses
from hardwon.kernel.import_format import memory_of
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.use_cases.feedback import Verdict, give_feedback
from hardwon.kernel.use_cases.hook_program import write_uses
from hardwon.kernel.use_cases.standing import standing_now
from hardwon.kernel.use_cases.usage import confidence_of, forget_uses
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock, open_fake_home

EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["useful", "wrong", "same", "said-by-user", "stop", "followed"]),
        st.sampled_from(["s1", "s2", None]),
    )
)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=FixedClock(MOMENT + timedelta(days=10))) as home:
        yield home


def kept(home: Home, confidence: float = 0.5) -> MemoryEntry:
    return home.storage.memories.put([memory("Pin the runner.", confidence=confidence)])[0]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], 0.5),
        ([("useful", "s1")], 0.6),
        ([("useful", "s1"), ("useful", "s1")], 0.6),
        ([("useful", "s1"), ("useful", "s2")], 0.7),
        ([("same", "s2")], 0.6),
        ([("said-by-user", None)], 0.8),
        ([("useful", "s1"), ("said-by-user", None), ("same", "s2")], 1.0),
        ([("said-by-user", None), ("wrong", None)], 0.1),
        ([("wrong", None), ("wrong", None)], 0.1),
        ([("wrong", None), ("same", "s1")], 0.2),
        ([("wrong", None), ("useful", "s1")], 0.6),
        ([("stop", None), ("followed", "s1")], 0.5),
    ],
)
def test_the_moves_are_those_that_are_documented(events: list[tuple[str, str | None]], expected: float) -> None:
    assert effective(0.5, weighed(events)) == pytest.approx(expected)


@given(st.floats(0, 1), EVENTS)
def test_it_lies_between_0_and_1_whatever_happens(stored: float, events: list[tuple[str, str | None]]) -> None:
    evidence = weighed(events)
    assert 0 <= effective(stored, evidence) <= 1
    if is_denied(evidence):
        assert effective(stored, evidence) < 0.5
    assert from_data(as_data({"a": evidence})) == {"a": evidence}


@pytest.mark.parametrize("data", [None, [], {"a": 1}, {"a": [1]}, {"a": ["x", 0]}, {"a": [None, None]}])
def test_damaged_evidence_is_none(data: object) -> None:
    assert from_data(data) == {}


def test_asking_writes_nothing_and_gives_the_same_again(home: Home) -> None:
    """The memory's file says what it was kept with; what became of it is counted from the ledger each time."""
    entry = kept(home)
    give_feedback(home, entry, Verdict.USEFUL, session="s1")
    for _ in range(2):
        forget_uses(home)
        assert confidence_of(home, entry) == pytest.approx(0.6)
        assert standing_now(home, entry).confidence == pytest.approx(0.6)
    assert home.storage.memories.get([entry.id])[entry.id] == entry


def test_the_hook_program_counts_the_same(home: Home) -> None:
    (home.path / "hook").mkdir()
    (home.path / "hook" / "data.json").write_text("{}", encoding="utf-8")
    good, bad = kept(home), home.storage.memories.put([memory("Sleep in tests.")])[0]
    give_feedback(home, good, Verdict.USEFUL, session="s1")
    give_feedback(home, bad, Verdict.WRONG)
    write_uses(home)
    _, evidence = read_uses(str(home.path))
    assert effective(good.confidence, evidence.get(good.id)) == pytest.approx(confidence_of(home, good))
    assert is_denied(evidence[bad.id])
    assert evidence[good.id] == Evidence(more=0.1)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"confidence": 0.49}, Status.OBSERVED),
        ({"confidence": 0.5}, Status.ACTIVE),
        ({}, Status.ACTIVE),
        ({"confidence": 0.2, "status": "active"}, Status.ACTIVE),
    ],
)
def test_what_is_given_with_low_confidence_is_observed(given: dict[str, object], status: Status) -> None:
    """Unless whoever gives it says another status."""
    entry = memory_of({"content": "Pin the runner.", **given}, project="shop", now=MOMENT)
    assert entry.status is status
