"""Old lessons get fields once, in one change that can be taken back, and never over what a person wrote."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.generalizer import backfill as module
from hardwon.generalizer.backfill import CHANGED, CLOSED, UNMARKED, backfill
from hardwon.generalizer.backfill_action import backfill as run_backfill
from hardwon.kernel.errors import StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.lesson_fields import DERIVED, FIELDS, author_of, is_derived
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.settings import ProjectSettings
from hardwon.kernel.use_cases.filling import Filling, fill_in
from hardwon.kernel.use_cases.reverting import revert
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FakeLanguageModel, open_fake_home

EVERYTHING = Filter(statuses=None)
HUNG = "Sessions hung for days because the client had no limit configured."
RULE = "Half a file was left. Settings must be written to a new file that then replaces the old."
BARE = "A partition promoted a database that lacked the last writes."


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path / "home") as home:
        yield home


def keep(home: Home, *entries: MemoryEntry) -> list[str]:
    return [entry.id for entry in home.storage.memories.put(list(entries))]


def lesson(home: Home, id: str) -> Lesson:
    return home.storage.memories.get([id])[id].lesson


def test_what_the_texts_mark_is_filled_in_and_the_rest_is_told(home: Home) -> None:
    hung, rule, bare = keep(home, memory(HUNG, "shop"), memory(RULE, "maps"), memory(BARE, "bank"))
    keep(home, memory("We deploy on Fridays.", "shop", kind=Kind.FACT), memory(HUNG, "x", status=Status.ARCHIVED))
    done = backfill(home)
    assert (done.lessons, dict(done.by), done.with_principle, dict(done.left)) == (3, {DERIVED: 2}, 1, {UNMARKED: 1})
    assert lesson(home, hung) == Lesson(cause="The client had no limit configured")
    assert lesson(home, rule).principle == "Settings must be written to a new file that then replaces the old."
    assert lesson(home, bare) == Lesson()
    assert is_derived(home.storage.memories.get([rule])[rule])


def test_a_second_run_changes_nothing(home: Home) -> None:
    keep(home, memory(HUNG, "shop"), memory(BARE, "bank"))
    backfill(home)
    before = list(home.storage.memories.scan(EVERYTHING))
    again = backfill(home)
    assert again.filled.lessons == ()
    assert again.filled.id == ""
    assert list(home.storage.memories.scan(EVERYTHING)) == before


def test_a_dry_run_says_the_same_and_changes_nothing(home: Home) -> None:
    [id] = keep(home, memory(HUNG, "shop"))
    done = backfill(home, dry_run=True)
    assert [dict(each.fields) for each in done.filled.lessons] == [{"cause": "The client had no limit configured"}]
    assert lesson(home, id) == Lesson()


def test_it_goes_on_where_a_limit_stopped_it(home: Home) -> None:
    keep(home, *(memory(HUNG, f"shop{number}") for number in range(3)))
    assert (len((first := backfill(home, limit=2)).filled.lessons), first.beyond) == (2, 1)
    assert (len((second := backfill(home, limit=2)).filled.lessons), second.beyond) == (1, 0)


def test_what_somebody_wrote_or_took_away_stays(home: Home) -> None:
    """A person's cause, and the place where they took a derived one away."""
    mine, gone = keep(home, memory(HUNG, "shop", lesson=Lesson(cause="My words.")), memory(HUNG, "maps"))
    backfill(home)
    home.storage.memories.update(gone, {"lesson": Lesson()})
    done = backfill(home)
    assert done.filled.lessons == ()
    assert (lesson(home, mine).cause, lesson(home, gone).cause) == ("My words.", None)


def test_projects_that_are_kept_out_of_rules_are_left_alone(home: Home) -> None:
    [id] = keep(home, memory(HUNG, "bank"))
    home.settings = home.settings.model_copy(update={"projects": {"bank": ProjectSettings(generalize=False)}})
    assert dict(backfill(home).left) == {CLOSED: 1}
    assert lesson(home, id) == Lesson()


def test_it_is_taken_back_as_one_except_what_a_person_changed_since(home: Home) -> None:
    """And may then be made again."""
    hung, rule = keep(home, memory(HUNG, "shop"), memory(RULE, "maps"))
    done = backfill(home)
    home.storage.memories.update(rule, {"lesson": Lesson(principle="Always write settings in my own careful way.")})
    taken = revert(home, done.filled.id)
    assert (taken.kind, [entry.id for entry in taken.memories]) == ("backfill", [hung])
    assert lesson(home, hung) == Lesson()
    assert lesson(home, rule).principle == "Always write settings in my own careful way."
    assert len(backfill(home).filled.lessons) == 1


def test_an_edit_while_it_ran_wins(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    [id] = keep(home, memory(HUNG, "shop"))
    derive = module.derive

    def edited_meanwhile(*given: object) -> Lesson:
        home.storage.memories.update(id, {"content": "In other words now."})
        return derive(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "derive", edited_meanwhile)
    done = backfill(home)
    assert dict(done.left) == {CHANGED: 1}
    assert lesson(home, id) == Lesson()


def parts(**given: str) -> dict[str, str | None]:
    return {**dict.fromkeys(FIELDS), **given}


def test_a_model_words_what_the_texts_do_not_mark(tmp_path: Path) -> None:
    """Noted as the model's; where it fails, the lesson's own words are taken, and those give way to a later answer."""
    sound = "Check that a standby has the last writes before it is promoted."
    model = FakeLanguageModel([parts(principle=sound), RuntimeError("no"), parts(cause="No limit was configured.")])
    with open_fake_home(tmp_path / "home", language_model=model) as home:
        bare, hung = keep(home, memory(BARE, "bank"), memory(HUNG, "shop", MOMENT + timedelta(hours=1)))
        assert dict(backfill(home).by) == {"fake": 1, DERIVED: 1}
        assert lesson(home, bare) == Lesson(principle=sound)
        assert author_of(home.storage.memories.get([bare])[bare], "principle") == "fake"
        assert author_of(home.storage.memories.get([hung])[hung], "cause") == DERIVED


def test_that_a_model_gave_no_answer_is_told_with_the_reason(tmp_path: Path) -> None:
    """What it could not be asked is no finding of nothing: the report says how many lessons, and why."""
    model = FakeLanguageModel([RuntimeError("the gateway is shut"), parts(cause="No limit was configured.")])
    with open_fake_home(tmp_path / "home", language_model=model) as home:
        keep(home, memory(BARE, "bank"), memory(HUNG, "shop", MOMENT + timedelta(hours=1)))
        report = run_backfill(home)
        assert report.data["without_model"] == 1
        assert "the gateway is shut" in report.data["why_without_model"]
        assert "For 1 lesson the language model gave no answer" in report.text
        assert "the gateway is shut" in report.text


def test_what_was_derived_gives_way_to_a_models_words_and_to_nothing_else(tmp_path: Path) -> None:
    model = FakeLanguageModel([parts(cause="No limit was configured."), parts(cause="Something else.")])
    with open_fake_home(tmp_path / "home", language_model=model) as home:
        [id] = keep(home, memory(HUNG, "shop"))
        derived = home.storage.memories.get([id])[id]
        fill_in(home, [Filling(derived, {"cause": "The client had no limit configured"}, DERIVED)])
        backfill(home)
        assert lesson(home, id).cause == "No limit was configured."
        backfill(home)
        assert lesson(home, id).cause == "No limit was configured."


def test_a_dry_run_asks_no_model(tmp_path: Path) -> None:
    model = FakeLanguageModel([parts(cause="No limit was configured.")])
    with open_fake_home(tmp_path / "home", language_model=model) as home:
        keep(home, memory(HUNG, "shop"))
        assert dict(backfill(home, dry_run=True).by) == {DERIVED: 1}
        assert model.prompts == []


def test_a_closed_project_is_never_given_to_a_model(tmp_path: Path) -> None:
    model = FakeLanguageModel([parts(cause="x")])
    with open_fake_home(tmp_path / "home", language_model=model) as home:
        keep(home, memory(BARE, "bank"))
        closed = {"projects": {"bank": ProjectSettings(generalize=False)}}
        home.settings = home.settings.model_copy(update=closed)
        backfill(home)
        assert model.prompts == []


def test_a_run_that_is_cut_off_has_changed_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the next one does it all."""
    keep(home, memory(HUNG, "shop"), memory(RULE, "maps"))
    before = list(home.storage.memories.scan(EVERYTHING))

    def broken(*_given: object) -> Lesson:
        raise StoreError("The disk is full; make room.")

    with monkeypatch.context() as patched, pytest.raises(StoreError):
        patched.setattr(module, "derive", broken)
        backfill(home)
    assert list(home.storage.memories.scan(EVERYTHING)) == before
    assert len(backfill(home).filled.lessons) == 2
    assert author_of(next(iter(home.storage.memories.scan(EVERYTHING))), "cause") in (DERIVED, None)
