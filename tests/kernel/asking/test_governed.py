"""Whoever asks a model asks it under the user's caps: redacted, once, repaired once, and told in the activity."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.asking.answers import FOLDER, MOST, Answers, forget_answers
from hardwon.kernel.errors import ModelFailure, Unavailable
from hardwon.kernel.ports import Cost, Prompt
from hardwon.testing.fakes import FakeLanguageModel
from hardwon.testing.fakes.redactor import SECRET

Ask = Callable[..., str]
COST = Cost(dollars=0.002, tokens_in=2_100, tokens_cached=2_000, tokens_out=30)


def test_a_call_is_a_line(place: Any, ask: Ask) -> None:
    """Of which task and model, how many tokens, what it cost, how long it took and what became of it."""
    assert ask(place.open(FakeLanguageModel([{"word": "yes"}], COST))) == "yes"
    (line,) = place.lines
    assert line.pop("seconds") >= 0
    assert line == {
        "task": "word-1",
        "model": "fake",
        "tokens_in": 2_100,
        "tokens_cached": 2_000,
        "tokens_out": 30,
        "dollars": 0.002,
        "outcome": "answered",
        "reason": "",
    }


def test_it_is_a_language_model_itself(place: Any) -> None:
    """With what it took; the same question again takes nothing."""
    model = place.open(FakeLanguageModel([{"word": "yes"}], COST))
    from hardwon.kernel.asking.reading import ModelAnswer

    class Word(ModelAnswer):
        word: str

    prompt = Prompt("word-1", "Say:\n", "x")
    assert model.complete(prompt, Word) == (Word(word="yes"), COST)
    assert model.complete(prompt, Word) == (Word(word="yes"), Cost())


class TestWhatLeavesTheMachine:
    def test_secrets_and_private_text_do_not(self, place: Any, ask: Ask) -> None:
        model = FakeLanguageModel([{"word": "yes"}])
        ask(place.open(model), f"the password is {SECRET}, <private>and this is mine</private>")
        (asked,) = model.prompts
        assert SECRET not in asked.tail
        assert "mine" not in asked.tail
        assert asked.prefix == "Say one word about:\n"

    def test_nor_do_they_when_an_answer_is_repaired(self, place: Any, ask: Ask) -> None:
        model = FakeLanguageModel([f"{SECRET}?", {"word": "yes"}])
        ask(place.open(model))
        assert len(model.prompts) == 2
        assert all(SECRET not in each.tail for each in model.prompts)


class TestWhatIsTold:
    @pytest.mark.parametrize(
        "error",
        [
            ModelFailure(f"No answer (incorrect key provided: {SECRET}).", "rejected"),
            ModelFailure(f"No answer (too many calls with {SECRET}).", "rate-limited", retry_after=60.0),
            RuntimeError("x" * 250 + f" the key {SECRET} " + "x" * 5_000),
        ],
        ids=["rejected", "resting", "an adapter's own fault"],
    )
    def test_a_key_that_an_error_quotes_is_written_nowhere(self, place: Any, ask: Ask, error: Exception) -> None:
        """Not in the activity, not in what processes share, and not in what is shown."""
        model = place.open(FakeLanguageModel([error]))
        with pytest.raises(Unavailable) as raised:
            ask(model)
        (line,) = place.lines
        written = [path.read_text(encoding="utf-8") for path in place.path.rglob("*") if path.is_file()]
        everything = [str(raised.value), model.last_failure, str(line), *written]
        assert not any(SECRET[:-1] in each for each in everything)
        assert all(len(each) < 1_000 for each in everything)
        assert line["outcome"] == getattr(error, "outcome", "broken")


class TestRepair:
    @pytest.mark.parametrize("first", ["I cannot help.", "", '{"word": 3}', '{"other": 1}', '{"word": "cut o', "null"])
    def test_the_second_call_shows_what_was_wrong(self, place: Any, ask: Ask, first: str) -> None:
        model = FakeLanguageModel([first, {"word": "yes"}])
        assert ask(place.open(model)) == "yes"
        assert model.prompts[0].prefix == model.prompts[1].prefix
        assert model.prompts[1].tail.startswith(model.prompts[0].tail)
        assert "cannot be taken" in model.prompts[1].tail
        assert place.outcomes == ["unusable", "answered"]

    def test_there_is_no_third(self, place: Any, ask: Ask) -> None:
        model = FakeLanguageModel(["no", "no", {"word": "yes"}])
        with pytest.raises(ModelFailure):
            ask(place.open(model))
        assert place.outcomes == ["unusable", "unusable"]

    def test_what_fits_the_schema_and_is_wrong_is_repaired_too(self, place: Any, ask: Ask) -> None:
        model = FakeLanguageModel([{"word": "bad"}, {"word": "good"}])
        assert ask(place.open(model), check=lambda value: ["names a project"] * (value.word == "bad")) == "good"
        assert "names a project" in model.prompts[1].tail

    def test_what_stays_wrong_is_not_taken(self, place: Any, ask: Ask) -> None:
        model = FakeLanguageModel([{"word": "bad"}, {"word": "bad"}])
        with pytest.raises(ModelFailure, match="names a project"):
            ask(place.open(model), check=lambda value: ["names a project"])
        assert not list(place.path.glob(f"{FOLDER}/*.json"))

    def test_a_failure_that_is_no_answer_is_not_repaired(self, place: Any, ask: Ask) -> None:
        """A provider that is down is not asked again at once."""
        model = FakeLanguageModel([ModelFailure("down.", "broken"), {"word": "yes"}])
        with pytest.raises(ModelFailure):
            ask(place.open(model))
        assert place.outcomes == ["broken"]


class TestKnownAnswers:
    def test_a_question_costs_once(self, place: Any, ask: Ask) -> None:
        assert ask(place.open(FakeLanguageModel([{"word": "yes"}]))) == "yes"
        assert ask(place.open(FakeLanguageModel([]))) == "yes"
        assert place.outcomes == ["answered"]

    def test_another_model_or_text_is_another_question(self, place: Any, ask: Ask) -> None:
        ask(place.open(FakeLanguageModel([{"word": "one"}])))
        assert ask(place.open(FakeLanguageModel([{"word": "two"}])), "y") == "two"
        assert ask(place.open(FakeLanguageModel([{"word": "three"}], name="other"))) == "three"

    def test_they_are_the_users_alone_and_hold_no_secrets(self, place: Any, ask: Ask) -> None:
        assert SECRET not in ask(place.open(FakeLanguageModel([{"word": f"say {SECRET}"}])))
        (path,) = place.path.glob(f"{FOLDER}/*")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert SECRET not in path.read_text(encoding="utf-8")

    @pytest.mark.parametrize("damage", ["", "{", '{"value": {"word": 3}}', "[]", "null"])
    def test_a_damaged_one_is_asked_again(self, place: Any, ask: Ask, damage: str) -> None:
        ask(place.open(FakeLanguageModel([{"word": "yes"}])))
        (path,) = place.path.glob(f"{FOLDER}/*")
        path.write_text(damage, encoding="utf-8")
        assert ask(place.open(FakeLanguageModel([{"word": "again"}]))) == "again"

    def test_the_oldest_go(self, place: Any, tmp_path: Path) -> None:
        folder = tmp_path / FOLDER
        folder.mkdir()
        for number in range(MOST + 5):
            (folder / f"{number}.json").write_text("{}", encoding="utf-8")
        Answers(tmp_path).keep("new", "fake", "word-1", {"word": "x"})
        assert len(list(folder.iterdir())) == MOST
        assert (folder / "new.json").exists()
        forget_answers(tmp_path)
        assert not folder.exists()


class TestDeadline:
    def test_a_call_that_never_ends_is_left_behind(self, place: Any, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever the library does, the caller goes on, and no later answer of it is taken."""
        monkeypatch.setattr("hardwon.kernel.asking.calls.GRACE", 0.05)
        released = threading.Event()
        model = place.open(FakeLanguageModel([lambda: released.wait(60) and None, {"word": "late"}]), timeout=0.05)
        started = time.monotonic()
        with pytest.raises(ModelFailure, match="within") as failed:
            ask(model)
        released.set()
        assert failed.value.outcome == "timeout"
        assert time.monotonic() - started < 30
        (line,) = place.lines
        assert line["outcome"] == "timeout"
        assert line["tokens_in"] > 0  # the provider was asked, and may send its bill

    def test_what_was_asked_counts_whoever_noticed_the_time(self, place: Any, ask: Ask) -> None:
        """An adapter that keeps its time-out knows no tokens; the provider was asked all the same."""
        with pytest.raises(ModelFailure):
            ask(place.open(FakeLanguageModel([ModelFailure("Too slow.", "timeout")])))
        (line,) = place.lines
        assert line["tokens_in"] > 0

    def test_an_adapter_with_a_fault_stops_nobody(self, place: Any, ask: Ask) -> None:
        with pytest.raises(ModelFailure, match="KeyError"):
            ask(place.open(FakeLanguageModel([KeyError("choices")])))
        assert place.outcomes == ["broken"]

    def test_what_cannot_be_asked_is_no_call(self, place: Any, ask: Ask) -> None:
        """A package that is missing is no failure of the model's, and costs nothing."""
        with pytest.raises(Unavailable, match="install"):
            ask(place.open(FakeLanguageModel([Unavailable("litellm is not installed; install it.")])))
        assert place.outcomes == ["not asked"]
