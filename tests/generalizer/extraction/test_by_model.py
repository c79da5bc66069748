"""The extractor with a model: what it adds has its proof in the session, and without an answer all is as offline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hardwon.generalizer.extraction.by_model import ModelExtractor
from hardwon.generalizer.extraction.offline import OfflineExtractor
from hardwon.kernel.errors import ModelFailure
from hardwon.kernel.extraction import Extract
from hardwon.kernel.injection import Shown, render
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.kernel.settings import ProjectSettings
from hardwon.testing.conformance import ExtractorConformance
from hardwon.testing.fakes import FakeLanguageModel, open_fake_home

NOTHING = {"findings": []}
TAUGHT = "The order of those two calls is what made it flaky, the second one has to come first"


def _session(*said: tuple[Speaker, str]) -> list[Turn]:
    messages = tuple(Message(f"m{place}", by, text) for place, (by, text) in enumerate(said, 1))
    return [Turn("fake", "session", "turn-1", messages)]


SESSION = _session(
    (Speaker.USER, f"{TAUGHT}."), (Speaker.AGENT, "Swapped.\nAll is green."), (Speaker.TOOL, "fine: a long listing")
)


def _finding(**changes: Any) -> dict[str, Any]:
    finding = {"message": 1, "quote": TAUGHT, "kind": "lesson", "content": "The second call has to come first."}
    return {**finding, "situation": None, "cause": "Order.", "fix": None, "principle": None, **changes}


def _extracted(path: Path, turns: Sequence[Turn], *answers: Any, ended: bool = True) -> list[Extract]:
    home = open_fake_home(path, language_model=FakeLanguageModel(answers))
    return [each for each in ModelExtractor(home).extract(turns, ended=ended) if each.refused is None]


class TestConformanceWhereItFindsNothing(ExtractorConformance):
    @pytest.fixture
    def extractor(self, tmp_path: Path) -> ModelExtractor:
        return ModelExtractor(open_fake_home(tmp_path, language_model=FakeLanguageModel([NOTHING] * 9)))


class TestConformanceWhereItFails(ExtractorConformance):
    @pytest.fixture
    def extractor(self, tmp_path: Path) -> ModelExtractor:
        failures = [ModelFailure("down.", "broken")] * 9
        return ModelExtractor(open_fake_home(tmp_path, language_model=FakeLanguageModel(failures)))


class TestConformanceWithoutAModel(ExtractorConformance):
    @pytest.fixture
    def extractor(self, tmp_path: Path) -> ModelExtractor:
        return ModelExtractor(open_fake_home(tmp_path))


def test_what_it_finds_is_kept_with_its_proof(tmp_path: Path) -> None:
    (found,) = _extracted(tmp_path, SESSION, {"findings": [_finding()]})
    assert (found.turn, found.message, found.said_by) == ("turn-1", "m1", "user")
    assert found.evidence == TAUGHT
    assert found.content == "The second call has to come first."
    assert found.lesson.cause == "Order."


def test_spaces_and_line_breaks_of_a_quote_may_differ(tmp_path: Path) -> None:
    (found,) = _extracted(tmp_path, SESSION, {"findings": [_finding(message=2, quote="Swapped. All is green.")]})
    assert found.evidence == "Swapped.\nAll is green."
    assert found.said_by == "agent"


@pytest.mark.parametrize(
    "changes",
    [
        {"message": 0},
        {"message": 99},
        {"message": -1},
        {"quote": "The first call has to come first."},
        {"quote": ""},
        {"quote": "it"},
        {"content": " "},
        {"content": "x" * 5_000},
        {"message": 3, "quote": "fine: a long listing"},
        {"kind": "rule"},
        {"message": "one"},
    ],
)
def test_without_a_proof_nothing_is_kept(tmp_path: Path, changes: dict[str, Any]) -> None:
    """A message that was not given, words that nobody said, a kind that is none: the good one beside it stands."""
    answer = json.dumps({"findings": [_finding(**changes), _finding()]})
    found = _extracted(tmp_path, SESSION, answer)
    assert [each.evidence for each in found] == [TAUGHT]


def test_what_was_pasted_is_refused(tmp_path: Path) -> None:
    pasted = _session((Speaker.USER, f"What does this mean?\n```\n{TAUGHT}\n```"), (Speaker.AGENT, "An order."))
    assert _extracted(tmp_path, pasted, {"findings": [_finding()]}) == []


def test_what_recall_showed_is_not_sent_and_not_learned(tmp_path: Path) -> None:
    shown = render([Shown("01-A", "lesson", TAUGHT, "project", "2026-11-01")]).text
    session = _session((Speaker.USER, f"{shown}\n\nDeploy to staging."), (Speaker.AGENT, "Done."))
    model = FakeLanguageModel([{"findings": [_finding()]}])
    home = open_fake_home(tmp_path, language_model=model)
    assert [each for each in ModelExtractor(home).extract(session, ended=True) if each.refused is None] == []
    assert TAUGHT not in model.prompts[0].tail


def test_what_was_found_offline_stays_as_it_was_found(tmp_path: Path) -> None:
    """It was kept while the session went on: found in other words, it would be kept twice."""
    statement = "Remember: the deploy script needs FOO=1 set, because the staging proxy drops the header otherwise."
    session = _session((Speaker.USER, statement), (Speaker.AGENT, "I'll set it from now on."))
    offline = [each for each in OfflineExtractor().extract(session, ended=False) if each.refused is None]
    principle = "Set every header that a proxy needs before a deploy."
    answer = {"findings": [_finding(quote=statement, content="In other words.", principle=principle)]}
    (found,) = _extracted(tmp_path, session, answer)
    assert found.content == offline[0].content
    assert found.lesson.principle == principle


def test_it_is_asked_once_when_the_session_has_ended(tmp_path: Path) -> None:
    """A session is looked at after every turn; a call each time would cost its length squared."""
    model = FakeLanguageModel([NOTHING])
    extractor = ModelExtractor(open_fake_home(tmp_path, language_model=model))
    for _ in range(3):
        extractor.extract(SESSION, ended=False)
    assert model.prompts == []
    for _ in range(3):
        extractor.extract(SESSION, ended=True)
    assert len(model.prompts) == 1


def test_a_long_session_is_read_in_parts_and_its_end_at_least(tmp_path: Path) -> None:
    long = _session(*[(Speaker.USER, f"{number}: " + "word " * 4_000) for number in range(200)])
    model = FakeLanguageModel([NOTHING] * 50)
    ModelExtractor(open_fake_home(tmp_path, language_model=model)).extract(long, ended=True)
    assert len(model.prompts) == 4
    assert all(len(each.tail) < 30_000 for each in model.prompts)
    assert "199: " in model.prompts[-1].tail


def test_nothing_of_a_customers_project_is_sent(tmp_path: Path) -> None:
    model = FakeLanguageModel([NOTHING])
    home = open_fake_home(tmp_path / "home", language_model=model)
    folder = tmp_path / "customer"
    (folder / ".git").mkdir(parents=True)
    (folder / ".hardwon.toml").write_text('name = "customer"\n', encoding="utf-8")
    projects = {"customer": ProjectSettings(generalize=False)}
    home.__dict__["settings"] = home.settings.model_copy(update={"projects": projects})
    turn = Turn("fake", "session", "turn-1", SESSION[0].messages, folder=folder)
    ModelExtractor(home).extract([turn], ended=True)
    assert model.prompts == []
