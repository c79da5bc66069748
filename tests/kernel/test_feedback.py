"""What the user makes of a memory is heard: it counts for more or less, or it is not shown unasked any more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.hook.uses import read_uses
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Query
from hardwon.kernel.use_cases.feedback import Verdict, give_feedback
from hardwon.kernel.use_cases.recall import recall
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock, open_fake_home

TEXT = "After a timeout, retry a payment with the same key."


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=FixedClock(MOMENT + timedelta(days=10))) as home:
        yield home


def kept(home: Home, text: str = TEXT, status: Status = Status.ACTIVE) -> MemoryEntry:
    return home.storage.memories.put([memory(text, status=status)])[0]


def now(home: Home, entry: MemoryEntry) -> MemoryEntry:
    return home.storage.memories.get([entry.id])[entry.id]


def shown(home: Home, include: tuple[Status, ...] = ()) -> list[str]:
    return [hit.entry.id for hit in recall(home, Query(text=TEXT), include=include).hits]


def test_what_was_stopped_is_not_shown_unasked(home: Home) -> None:
    """Whoever asks for observed memories still finds it: nothing falls into a black hole."""
    entry = kept(home)
    heard = give_feedback(home, entry, Verdict.STOP)
    assert (heard.shown_unasked, heard.changed) == (False, True)
    assert shown(home) == []
    assert shown(home, include=(Status.OBSERVED,)) == [entry.id]


@pytest.mark.parametrize("verdict", [Verdict.STOP, Verdict.USEFUL])
def test_what_was_written_since_the_memory_was_read_stays(home: Home, verdict: Verdict) -> None:
    """A verdict is on a memory as an agent saw it a while ago."""
    seen = kept(home)
    if verdict is Verdict.USEFUL:
        seen = give_feedback(home, seen, Verdict.STOP).memory
    home.storage.memories.update(seen.id, {"metadata": {**seen.metadata, "team": "payments"}})
    give_feedback(home, seen, verdict)
    assert now(home, seen).metadata["team"] == "payments"


def test_a_verdict_that_was_given_twice_at_once_is_taken_back_as_one(home: Home) -> None:
    """The second stop does not take the first one's status for the memory's own."""
    entry = kept(home)
    give_feedback(home, entry, Verdict.STOP)
    give_feedback(home, entry, Verdict.STOP)
    give_feedback(home, now(home, entry), Verdict.USEFUL)
    assert now(home, entry) == entry


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.CONFLICT])
def test_useful_takes_a_stop_back_and_leaves_no_trace(home: Home, status: Status) -> None:
    """The memory is what it was, a conflict among them."""
    entry = kept(home, status=status)
    give_feedback(home, entry, Verdict.STOP)
    heard = give_feedback(home, now(home, entry), Verdict.USEFUL)
    assert heard.shown_unasked
    assert now(home, entry) == entry


def test_a_stop_said_twice_forgets_nothing(home: Home) -> None:
    entry = kept(home, status=Status.CONFLICT)
    for _ in range(2):
        give_feedback(home, now(home, entry), Verdict.STOP)
    give_feedback(home, now(home, entry), Verdict.USEFUL)
    assert now(home, entry).status is Status.CONFLICT


def test_what_was_not_confirmed_becomes_so_when_it_is_useful(home: Home) -> None:
    entry = kept(home, status=Status.OBSERVED)
    assert give_feedback(home, entry, Verdict.USEFUL).changed
    assert now(home, entry).status is Status.ACTIVE


def test_what_was_useful_comes_first_at_once(home: Home) -> None:
    """Of two that say nearly the same, from the next question on."""
    judged, other = kept(home, f"{TEXT} One."), kept(home, f"{TEXT} Two.")
    assert set(shown(home)) == {judged.id, other.id}
    give_feedback(home, judged, Verdict.USEFUL)
    assert shown(home) == [judged.id, other.id]


def test_what_was_denied_is_not_shown_unasked_until_it_is_useful_again(home: Home) -> None:
    """Its confidence is 0.1 from then on, which is as good as observed; its file stays as it is."""
    judged, other = kept(home, f"{TEXT} One."), kept(home, f"{TEXT} Two.")
    heard = give_feedback(home, judged, Verdict.WRONG)
    assert (heard.shown_unasked, heard.changed) == (False, True)
    assert shown(home) == [other.id]
    assert shown(home, include=(Status.OBSERVED,)) == [other.id, judged.id]
    assert now(home, judged) == judged
    assert give_feedback(home, judged, Verdict.USEFUL).shown_unasked
    assert set(shown(home)) == {judged.id, other.id}


def test_who_said_so_and_through_whom_is_on_record(home: Home) -> None:
    entry = kept(home)
    give_feedback(home, entry, Verdict.WRONG, session="s1", through="an agent")
    [record] = home.storage.ledger.activity("feedback")
    assert (record.memory, record.session) == (entry.id, "s1")
    assert record.details == {"verdict": "wrong", "through": "an agent"}


@pytest.mark.parametrize("verdict", [Verdict.USEFUL, Verdict.STOP])
def test_feedback_brings_nothing_back_from_the_archive(home: Home, verdict: Verdict) -> None:
    entry = kept(home, status=Status.ARCHIVED)
    with pytest.raises(Conflict, match="archived"):
        give_feedback(home, entry, verdict)
    assert now(home, entry) == entry
    assert list(home.storage.ledger.activity("feedback")) == []


def test_a_home_that_is_not_wired_gets_nothing_of_the_hook_program(home: Home) -> None:
    give_feedback(home, kept(home), Verdict.WRONG)
    assert not (home.path / "hook").exists()


def test_the_hook_program_is_told_by_number(home: Home) -> None:
    """Where it is wired: more useful, or more often wrong; nothing of what was said."""
    (home.path / "hook").mkdir()
    (home.path / "hook" / "data.json").write_text("{}", encoding="utf-8")
    good, bad = kept(home), kept(home, "Another.")
    give_feedback(home, good, Verdict.USEFUL)
    for _ in range(2):
        give_feedback(home, bad, Verdict.WRONG)
    assert read_uses(str(home.path))[0] == {good.id: 1, bad.id: -2}


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '{"format": 2, "uses": {"a": 1}}', '{"format": 1, "uses": {"a": "x"}}', "\xff"]
)
def test_what_is_damaged_there_counts_as_nothing(tmp_path: Path, content: str) -> None:
    assert read_uses(str(tmp_path)) == ({}, {})
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "uses.json").write_text(content, encoding="latin-1")
    assert read_uses(str(tmp_path)) == ({}, {})
