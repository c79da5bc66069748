"""What was imported in bulk is compared in the background: incremental, capped, and never destroying anything."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.sameness.verdict import Sameness, Verdict
from hardwon.kernel.settings import ProjectSettings
from hardwon.kernel.use_cases import hook_program
from hardwon.kernel.use_cases.write_gate import examining, meeting
from hardwon.kernel.use_cases.write_gate.examining import examine
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FakeGeneralizer, FakeLanguageModel, open_fake_home

from .hands import SPACES, TABS, said_in

TEXT, OTHER_WORDS = "Never log access tokens", "Access tokens must not be logged"


def put(home: Home, *texts: str, project: str = "shop") -> list[MemoryEntry]:
    moments = (MOMENT + timedelta(seconds=number) for number in range(len(texts)))
    entries = [memory(text, project, at, source=said_in(text)) for text, at in zip(texts, moments, strict=True)]
    return home.storage.memories.put(entries)


def test_a_duplicate_becomes_evidence_and_both_stand(home: Home) -> None:
    first, second = put(home, TEXT, OTHER_WORDS)
    assert examine(home) == {"examined": 2, "duplicate": 1}
    [edge] = home.storage.memories.relations(first.id)
    assert (edge.kind, edge.source, edge.target) == (RelationKind.DERIVED_FROM, first.id, second.id)
    assert {entry.status for entry in home.storage.memories.scan(Filter())} == {Status.ACTIVE}


def test_the_years_ledger_is_read_for_the_hook_once_a_run(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many memories say the same: the writers' lock is not held for a reading each."""
    told: list[Home] = []
    monkeypatch.setattr(hook_program, "write_uses", told.append)
    put(home, *(each for word in ("payment", "invoice", "parcel") for each in pair(word)))
    assert examine(home)["duplicate"] == 3
    assert told == [home]


def pair(word: str) -> tuple[str, str]:
    return f"Never log {word} tokens", f"{word.title()} tokens must not be logged"


def test_a_contradiction_becomes_a_question(home: Home) -> None:
    put(home, TABS, SPACES)
    assert examine(home) == {"examined": 2, "contradiction": 1}
    assert len(home.queue.pending()) == 1


def test_each_memory_is_examined_once(home: Home) -> None:
    put(home, TABS)
    assert examine(home) == {"examined": 1}
    assert examine(home) == {}
    home.storage.memories.put([memory(SPACES, "shop", MOMENT + timedelta(days=1))])
    assert examine(home) == {"examined": 1, "contradiction": 1}


def test_examining_again_changes_nothing(home: Home) -> None:
    """A run that was killed before it noted how far it came does it all again."""
    put(home, TABS, SPACES, TEXT, OTHER_WORDS)
    examine(home)
    before = list(home.storage.memories.scan(Filter())), home.queue.all()
    (home.path / examining.FILE).unlink()
    examine(home)
    assert (list(home.storage.memories.scan(Filter())), home.queue.all()) == before


def test_a_memory_that_comes_late_with_an_older_id_is_examined(home: Home) -> None:
    """Another device's memories are merged in, and a long import names its memories before it keeps them."""
    put(home, TABS)
    examine(home)
    home.storage.memories.put([memory(SPACES, "shop", MOMENT - timedelta(days=1))])
    assert examine(home) == {"examined": 1, "contradiction": 1}


def test_a_memory_whose_words_change_is_examined_again_and_is_evidence_once(home: Home) -> None:
    """Whichever of the two was known first: neither confirms the other twice."""
    first, second = put(home, TEXT, OTHER_WORDS)
    examine(home)
    home.storage.memories.update(first.id, {"content": f"{TEXT}."})
    assert examine(home) == {"examined": 1}
    assert len(home.storage.memories.relations(second.id)) == 1


def test_what_is_left_for_the_next_run_meets_what_was_examined_before(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examining, "MOST_AT_ONCE", 1)
    first, second = put(home, TEXT, OTHER_WORDS)
    assert [examine(home), examine(home), examine(home)] == [{"examined": 1}, {"examined": 1, "duplicate": 1}, {}]
    [edge] = home.storage.memories.relations(second.id)
    assert (edge.source, edge.target) == (first.id, second.id)


@pytest.mark.parametrize("kept", [b"", b"[]", b'{"format": 2, "exam', b'{"format": 2}', b'{"format": 1, "last": "z"}'])
def test_a_note_that_cannot_be_read_is_as_none(home: Home, kept: bytes) -> None:
    (home.path / examining.FILE).write_bytes(kept)
    put(home, TABS)
    assert examine(home) == {"examined": 1}


def test_two_projects_are_not_compared(home: Home) -> None:
    put(home, TABS)
    put(home, SPACES, project="blog")
    assert examine(home) == {"examined": 2}


@pytest.mark.parametrize("answer", [Sameness.DUPLICATE, Sameness.CONTRADICTION])
def test_a_comparison_gone_mad_destroys_nothing(home: Home, monkeypatch: pytest.MonkeyPatch, answer: Sameness) -> None:
    """Whatever calls everything the same, or the opposite: nothing is written, and the user is told."""
    entries = put(home, *(f"The {word} service needs a restart" for word in "abcdefghijklmnopqrstuvwxyz"))
    monkeypatch.setattr(meeting, "compare", lambda *_, **__: Verdict(answer, "mad"))
    assert examine(home)["not_believed"] > 0
    assert list(home.storage.memories.scan(Filter())) == entries
    assert home.queue.all() == []


def test_a_run_writes_only_so_much_and_the_next_one_the_rest(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "MOST_FINDINGS", 1)
    put(home, TABS, SPACES, TEXT, OTHER_WORDS)
    first, second = examine(home), examine(home)
    assert ("contradiction" in first, "duplicate" in first) == (True, False)
    assert second["duplicate"] == 1


class Reading(FakeGeneralizer):
    """A model that gives the same answer to every pair."""

    def __init__(self, answer: Sameness | None) -> None:
        super().__init__()
        self.answer = answer
        self.asked: list[tuple[str, str]] = []

    def draft_rule(self, lessons: Sequence[MemoryEntry], language: str) -> str | None:
        return None

    def draft_lesson(self, entry: MemoryEntry) -> Lesson | None:
        return None

    def relation_between(self, earlier: str, later: str) -> Sameness | None:
        self.asked.append((earlier, later))
        return self.answer


OPEN = ("Squash commits on merging branches", "Squash branches on landing commits quickly")


@pytest.mark.parametrize("answer", [None, Sameness.DISTINCT, Sameness.DUPLICATE, Sameness.CONTRADICTION])
def test_the_users_model_is_asked_about_what_words_leave_open(tmp_path: Path, answer: Sameness | None) -> None:
    model = Reading(answer)
    with open_fake_home(tmp_path, generalizer=model, language_model=FakeLanguageModel()) as home:
        put(home, *OPEN)
        counts = examine(home)
    assert model.asked == [OPEN]
    assert {name for name in counts if name != "examined"} == (
        {answer.value} if answer and answer != "distinct" else set()
    )


def test_the_model_does_not_overrule_numbers(tmp_path: Path) -> None:
    """Merged PR 260 and merged PR 480 are two, whatever a model says."""
    model = Reading(Sameness.DUPLICATE)
    with open_fake_home(tmp_path, generalizer=model, language_model=FakeLanguageModel()) as home:
        put(home, "Merged PR 260", "Merged PR 480")
        assert examine(home) == {"examined": 2}
    assert model.asked == []


def test_nothing_of_a_customers_project_is_shown_to_the_model(tmp_path: Path) -> None:
    """What is kept out of rules does not leave the machine either."""
    model = Reading(Sameness.DUPLICATE)
    with open_fake_home(tmp_path, generalizer=model, language_model=FakeLanguageModel()) as home:
        entries = put(home, *OPEN)
        (project,) = {entry.scope.project for entry in entries}
        closed = {project: ProjectSettings(generalize=False)}
        home.__dict__["settings"] = home.settings.model_copy(update={"projects": closed})
        examine(home)
    assert model.asked == []
