"""Caps of a day hold over all processes; a run and a minute have theirs; without a model nothing is asked."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import background
from hardwon.kernel.asking.spending import start_of_day
from hardwon.kernel.asking.state import FILE, LOCK, ModelState, Reservation, read_state, shared_state
from hardwon.kernel.errors import Unavailable
from hardwon.kernel.ports import LONGEST_ANSWER, Cost
from hardwon.kernel.records import Activity
from hardwon.testing.fakes import FakeLanguageModel, FixedClock, open_fake_home

Ask = Callable[..., str]


def _endless(cost: Cost | None = None) -> FakeLanguageModel:
    return FakeLanguageModel([{"word": "yes"}] * 3_000, cost)


def test_nothing_is_asked_before_a_model_is_named(tmp_path: Path) -> None:
    with open_fake_home(tmp_path) as home:
        assert home.language_model is None
        assert list(home.storage.ledger.activity("model")) == []


def test_a_backlog_stops_at_the_caps_and_goes_on_the_next_day(place: Any, ask: Ask) -> None:
    """Two thousand questions, of which a day takes as many as its cap says; the notice stands once."""
    model = _endless()
    process = place.open(model, calls_per_day=50, calls_per_run=1_000)
    answered = 0
    for number in range(2_000):
        try:
            ask(process, str(number))
            answered += 1
        except Unavailable as refused:
            assert "calls_per_day (50)" in str(refused)
    assert answered == len(model.prompts) == 50
    assert place.outcomes.count("not asked") == 1
    place.clock.advance(days=1)
    assert ask(place.open(model, calls_per_day=50), "tomorrow") == "yes"


def test_a_run_asks_for_its_share_only(place: Any, ask: Ask) -> None:
    model = _endless()
    process = place.open(model, calls_per_run=3)
    for number in range(3):
        ask(process, str(number))
    with pytest.raises(Unavailable, match="calls_per_run"):
        ask(process, "fourth")
    assert ask(place.open(model, calls_per_run=3), "the next run") == "yes"


def test_no_minute_has_too_many(place: Any, ask: Ask) -> None:
    """Over all processes, and what waits is asked in its minute."""
    model = _endless()
    for number in range(25):
        ask(place.open(model, calls_per_minute=10), str(number))
    assert len(model.prompts) == 25
    assert sum(place.waited) == pytest.approx(120, abs=1)


def test_tokens_are_capped(place: Any, ask: Ask) -> None:
    """A call is let in only where all that it may take is left."""
    model = _endless(Cost(tokens_in=900, tokens_out=100))
    process = place.open(model, tokens_per_day=LONGEST_ANSWER + 2_500)
    with pytest.raises(Unavailable, match="tokens_per_day"):
        for number in range(10):
            ask(process, str(number))
    assert len(model.prompts) == 3


def test_dollars_are_capped(place: Any, ask: Ask) -> None:
    model = _endless(Cost(dollars=0.30, tokens_in=900))
    process = place.open(model, dollars_per_day=1.0)
    with pytest.raises(Unavailable, match="dollars_per_day"):
        for number in range(10):
            ask(process, str(number))
    assert len(model.prompts) == 3


def test_a_model_without_a_known_price_is_counted_by_tokens(place: Any, ask: Ask) -> None:
    """Unless no money may be spent at all."""
    model = _endless(Cost(dollars=None, tokens_in=900))
    assert ask(place.open(model)) == "yes"
    assert place.lines[0]["dollars"] is None
    with pytest.raises(Unavailable, match="nobody knows what it costs"):
        ask(place.open(model, dollars_per_day=0), "y")


def test_two_processes_cannot_overspend(place: Any, ask: Ask) -> None:
    """What one is asking counts for the other before it is answered."""
    inside, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        inside.set()
        go_on.wait(60)

    slow = FakeLanguageModel([hold, {"word": "slow"}])
    first = threading.Thread(target=ask, args=(place.open(slow, calls_per_day=1), "a"))
    first.start()
    inside.wait(60)
    with pytest.raises(Unavailable, match="calls_per_day"):
        ask(place.open(_endless(), calls_per_day=1), "b")
    go_on.set()
    first.join()
    assert place.outcomes.count("answered") == 1
    assert read_state(place.path).reserved == {}


def test_many_at_once_stay_within_the_cap(place: Any, ask: Ask) -> None:
    model = _endless()

    def run(number: int) -> None:
        with contextlib.suppress(Unavailable):
            ask(place.open(model, calls_per_day=5), str(number))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(model.prompts) == 5


def test_a_process_that_was_killed_counts_in_full(place: Any, ask: Ask) -> None:
    """Nobody knows what its call took; once it must be over, it is told as lost."""
    from hardwon.kernel.asking.state import Reservation, shared_state

    now = place.clock.now().timestamp()
    with shared_state(place.path) as state:
        state.reserved["gone"] = Reservation("word-1", "fake", now, now + 60, 4_000, 2_000, 0.4)
    with pytest.raises(Unavailable, match="tokens_per_day"):
        ask(place.open(_endless(), tokens_per_day=8_000))
    place.clock.advance(seconds=61)
    with pytest.raises(Unavailable, match="tokens_per_day"):
        ask(place.open(_endless(), tokens_per_day=8_000))
    assert "lost" in place.outcomes
    assert read_state(place.path).reserved == {}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"reserved": 3}', '{"reserved": {"a": {}}, "resting": {}}', "\0"])
def test_a_broken_state_is_a_new_one(place: Any, ask: Ask, content: str) -> None:
    (place.path / FILE).write_text(content, encoding="utf-8")
    assert ask(place.open(_endless())) == "yes"


def test_a_day_is_one_of_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the hour that a change of the clocks takes or gives."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    now = FixedClock().now()
    assert start_of_day(now).isoformat() == "2026-01-01T00:00:00+08:00"
    monkeypatch.setenv("TZ", "Europe/Berlin")
    autumn = now.fromisoformat("2026-10-25T22:30:00+00:00")
    assert start_of_day(autumn).isoformat() == "2026-10-25T00:00:00+02:00"


def test_who_waits_too_long_for_the_others_goes_the_offline_way(
    place: Any, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that is never let go stops no run."""
    monkeypatch.setattr("hardwon.kernel.asking.state.PATIENCE", 0.0)
    with background.alone(place.path / LOCK) as held, pytest.raises(Unavailable, match="held"):
        assert held
        ask(place.open(_endless()))


TAKES = """
import sys
from pathlib import Path
from hardwon.kernel.asking.state import Reservation, shared_state
for number in range(20):
    with shared_state(Path(sys.argv[1])) as state:
        state.reserved[f"{sys.argv[2]}-{number}"] = Reservation("t", "m", 0, 0, 1, 1, 0.0)
"""


def test_processes_lose_no_reservation_of_each_other(tmp_path: Path) -> None:
    """Four of them at once, twenty each."""
    running = [subprocess.Popen([sys.executable, "-c", TAKES, str(tmp_path), str(number)]) for number in range(4)]
    assert [each.wait(120) for each in running] == [0, 0, 0, 0]
    assert len(read_state(tmp_path).reserved) == 80


@pytest.mark.parametrize(
    "damage",
    [
        {"reserved": {"a": {"task": 1}}},
        {"reserved": {"a": dict.fromkeys(("task", "model", "at", "until", "tokens_in", "tokens_out", "dollars"), "x")}},
        {"reserved": ["a"], "resting": {}},
        {"resting": {"m": {"failures": "often", "until": "soon", "why": None}}},
        {"resting": {"m": {"failures": 1, "until": float("nan"), "why": ""}}},
        {"resting": {"m": {"failures": 1, "until": float("inf"), "why": ""}}},
        [],
        "x",
        None,
    ],
)
def test_a_damaged_state_is_as_good_as_none(place: Any, ask: Ask, damage: Any) -> None:
    """Whatever stands in the file: what was spent stands in the activity."""
    whole = {"v": 1, "reserved": {}, "resting": {}, **damage} if isinstance(damage, dict) else damage
    (place.path / FILE).write_text(json.dumps(whole), encoding="utf-8")
    assert read_state(place.path) == ModelState()
    assert ask(place.open(_endless())) == "yes"


@pytest.mark.parametrize("said", [-1_000_000, float("nan"), float("inf"), "many", None, [1]])
def test_no_line_gives_back_what_was_spent(place: Any, ask: Ask, said: Any) -> None:
    """Tokens and dollars only grow in a day, whatever a line of the activity says."""
    details = {"outcome": "answered", "tokens_in": said, "tokens_out": said, "dollars": said}
    place.ledger.append([Activity(kind="model", at=place.clock.now(), details=details)])
    process = place.open(_endless(Cost(dollars=0.6, tokens_in=900)), dollars_per_day=1.0)
    ask(process, "first")
    with pytest.raises(Unavailable, match="dollars_per_day"):
        for number in range(3):
            ask(process, str(number))


def test_a_clock_that_was_set_back_frees_what_a_killed_process_reserved(place: Any, ask: Ask) -> None:
    """Its call is counted as lost at once, and not held for as long as the clock was ahead."""
    later = place.clock.now().timestamp() + 400 * 86_400
    lost = Reservation("word-1", "fake", later, later + 60, 100, 100, 0.0)
    with shared_state(place.path) as state:
        state.reserved["a"] = lost
    assert ask(place.open(_endless())) == "yes"
    assert place.outcomes.count("lost") == 1
    assert not read_state(place.path).reserved
