"""A model that fails again and again is left alone for longer each time, by every process, and that is said."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from hardwon.kernel.asking.standing import ModelStanding, model_standing, model_text
from hardwon.kernel.errors import ModelFailure, Unavailable
from hardwon.kernel.ports import Cost
from hardwon.kernel.settings import LanguageModelSettings
from hardwon.testing.fakes import FakeLanguageModel

Ask = Callable[..., str]
DOWN = ModelFailure("The provider has a fault.", "broken")


def _fail(place: Any, ask: Ask, failure: ModelFailure) -> None:
    with pytest.raises(ModelFailure):
        ask(place.open(FakeLanguageModel([failure])), f"question {len(place.lines)}")


@pytest.mark.parametrize("outcome", ["timeout", "rejected", "broken", "unreachable"])
def test_after_three_failures_it_rests(place: Any, ask: Ask, outcome: str) -> None:
    for _ in range(3):
        _fail(place, ask, ModelFailure("no.", outcome))
    with pytest.raises(Unavailable, match=f"rests until .* after 3 failures in a row .{outcome}"):
        ask(place.open(FakeLanguageModel([{"word": "yes"}])))
    place.clock.advance(seconds=61)
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}]))) == "yes"


def test_each_rest_is_longer(place: Any, ask: Ask) -> None:
    """One call is tried after each; the longest rest is six hours."""
    for _ in range(3):
        _fail(place, ask, DOWN)
    for minutes in (1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360):
        place.clock.advance(minutes=minutes - 0.5)
        with pytest.raises(Unavailable, match="rests"):
            ask(place.open(FakeLanguageModel([DOWN])))
        place.clock.advance(minutes=0.6)
        _fail(place, ask, DOWN)


def test_a_success_is_a_new_beginning(place: Any, ask: Ask) -> None:
    for _ in range(2):
        _fail(place, ask, DOWN)
    ask(place.open(FakeLanguageModel([{"word": "yes"}])))
    for _ in range(2):
        _fail(place, ask, DOWN)
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}])), "y") == "yes"


def test_a_provider_that_asks_to_be_left_alone_is(place: Any, ask: Ask) -> None:
    """At the first time, for as long as it says."""
    _fail(place, ask, ModelFailure("Too many requests.", "rate-limited", retry_after=600))
    place.clock.advance(seconds=590)
    with pytest.raises(Unavailable, match="rests"):
        ask(place.open(FakeLanguageModel([{"word": "yes"}])))
    place.clock.advance(seconds=11)
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}]))) == "yes"


def test_a_backlog_stops_where_the_provider_says_so(place: Any, ask: Ask) -> None:
    """From the fiftieth call it answers 429: the other 1,950 are not tried."""
    model = FakeLanguageModel(
        [{"word": "yes"}] * 50 + [ModelFailure("429.", "rate-limited", retry_after=3_600)] * 1_950
    )
    process = place.open(model, calls_per_run=5_000, calls_per_day=5_000)
    for number in range(2_000):
        with contextlib.suppress(Unavailable):
            ask(process, str(number))
    assert len(model.prompts) == 51
    assert place.outcomes.count("not asked") == 1


def test_no_provider_silences_it_for_ever(place: Any, ask: Ask) -> None:
    _fail(place, ask, ModelFailure("429.", "rate-limited", retry_after=1e12))
    place.clock.advance(days=1, seconds=1)
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}]))) == "yes"


def test_a_text_that_it_declines_is_no_failure_of_its(place: Any, ask: Ask) -> None:
    for _ in range(5):
        _fail(place, ask, ModelFailure("I would rather not.", "declined"))
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}]))) == "yes"


def test_another_model_or_address_does_not_rest(place: Any, ask: Ask) -> None:
    for _ in range(3):
        _fail(place, ask, DOWN)
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}], name="other"))) == "yes"
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}]), api_base="http://127.0.0.1:1")) == "yes"


def test_status_tells_the_rest_and_the_spending(place: Any, ask: Ask) -> None:
    for _ in range(3):
        _fail(place, ask, DOWN)
    standing = _standing(place, LanguageModelSettings(model="fake"))
    assert standing.calls == 3
    assert standing.resting_until is not None
    assert (standing.resting_until - place.clock.now()).total_seconds() == 60
    assert "broken" in standing.why
    assert model_standing(LanguageModelSettings(), place.path, place.clock, place.ledger) is None


def test_it_is_told_in_a_line(place: Any, ask: Ask) -> None:
    """The spending against the caps, the calls whose price nobody knows, and until when it rests, and why."""
    ask(place.open(FakeLanguageModel([{"word": "yes"}], Cost(None, 900, 0, 100))))
    caps = LanguageModelSettings(model="fake")
    said = model_text(_standing(place, caps))
    assert said == ("`fake`, today 1 of 200 calls, 1000 of 500000 tokens, $0.0000 of $1.00 (and 1 of unknown price)")
    _fail(place, ask, ModelFailure("Too many requests.", "rate-limited", retry_after=600))
    assert "; rests until 2026-01-01 " in model_text(_standing(place, caps))
    assert "(rate-limited: Too many requests.)" in model_text(_standing(place, caps))


def _standing(place: Any, caps: LanguageModelSettings) -> ModelStanding:
    standing = model_standing(caps, place.path, place.clock, place.ledger)
    assert standing is not None
    return standing
