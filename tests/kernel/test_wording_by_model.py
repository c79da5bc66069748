"""After a run the model words what waits for words: as a draft, and never over a person's words."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.lesson_fields import author_of
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.proposal import Proposal, instance_of
from hardwon.kernel.sameness.verdict import Sameness
from hardwon.kernel.settings import LanguageModelSettings, ProjectSettings, Settings
from hardwon.kernel.use_cases.consolidating.wording import word_with_model
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FakeGeneralizer, FakeLanguageModel, open_fake_home

PRINCIPLE = "Set a time limit on every network call before it is made."


class Drafting(FakeGeneralizer):
    """Words whatever it is given, and remembers whether a lock was held."""

    def __init__(self, lesson: Lesson | None) -> None:
        super().__init__()
        self._lesson = lesson
        self.asked: list[str] = []

    def draft_rule(self, lessons: Sequence[MemoryEntry], language: str) -> str | None:
        self.asked.append("rule")
        return PRINCIPLE

    def draft_lesson(self, entry: MemoryEntry) -> Lesson | None:
        self.asked.append(entry.content)
        return self._lesson

    def relation_between(self, earlier: str, later: str) -> Sameness | None:
        return None


def _open(path: Path, lesson: Lesson | None, **given: Any) -> tuple[Home, Drafting]:
    drafting = Drafting(lesson)
    home = open_fake_home(path, generalizer=drafting, language_model=FakeLanguageModel(), **given)
    return home, drafting


def test_a_lesson_gets_its_fields_from_the_model(tmp_path: Path) -> None:
    home, _ = _open(tmp_path, Lesson(cause="No time limit was set.", principle=PRINCIPLE))
    (entry,) = home.storage.memories.put([memory("The call hung for an hour.", "shop")])
    assert word_with_model(home) == {"worded_by_model": 1, "left_without_words": 0}
    entry = home.storage.memories.get([entry.id])[entry.id]
    assert entry.lesson.principle == PRINCIPLE
    assert author_of(entry, "principle") == "fake"


def test_where_nothing_transfers_it_is_not_asked_again(tmp_path: Path) -> None:
    home, drafting = _open(tmp_path, Lesson(situation="Reaching the server."))
    home.storage.memories.put([memory("The server's name is in the vault.", "shop")])
    word_with_model(home)
    assert word_with_model(home) == {}
    assert len(drafting.asked) == 1


def test_without_an_answer_all_stays_as_it_is(tmp_path: Path) -> None:
    home, drafting = _open(tmp_path, None)
    (entry,) = home.storage.memories.put([memory("The call hung for an hour.", "shop")])
    assert word_with_model(home) == {"worded_by_model": 0, "left_without_words": 1}
    assert home.storage.memories.get([entry.id])[entry.id] == entry
    word_with_model(home)
    assert len(drafting.asked) == 2


def test_a_run_asks_for_its_share_only(tmp_path: Path) -> None:
    home, drafting = _open(tmp_path, None, caps=LanguageModelSettings(calls_per_run=2))
    home.storage.memories.put([memory(f"The call number {number} hung.", "shop") for number in range(9)])
    word_with_model(home)
    assert len(drafting.asked) == 2


def test_nothing_of_a_customers_project_is_shown_to_it(tmp_path: Path) -> None:
    home, drafting = _open(tmp_path, None)
    closed = Settings(
        projects={"customer": ProjectSettings(generalize=False)}, language_model=home.settings.language_model
    )
    home.__dict__["settings"] = closed
    home.storage.memories.put([memory("The call hung.", "customer")])
    assert word_with_model(home) == {}
    assert drafting.asked == []


SOUND = "Give every request a deadline that its caller can wait for."


def _propose(home: Home, rule: str) -> None:
    done = Lesson(principle=SOUND)
    lessons = home.storage.memories.put([memory(f"The {name} hung.", name, lesson=done) for name in ("shop", "blog")])
    home.queue.add([Proposal(id="k7", rule=rule, instances=tuple(map(instance_of, lessons)), created_at=MOMENT)])


def test_a_proposal_without_words_gets_the_models(tmp_path: Path) -> None:
    """It says whose they are, and that the generalizer had none."""
    home, _ = _open(tmp_path, None)
    _propose(home, "")
    assert word_with_model(home) == {"worded_by_model": 1, "left_without_words": 0}
    proposal = home.queue.find("k7")
    assert proposal.rule == PRINCIPLE
    assert proposal.worded == "Worded by fake; the generalizer had no wording."
    assert word_with_model(home) == {}


@pytest.mark.parametrize("rewords", [True, False])
def test_better_words_where_the_user_wants_them(tmp_path: Path, rewords: bool) -> None:
    """The generalizer's own stand beside them; without the setting they stay."""
    home, drafting = _open(tmp_path, None, caps=LanguageModelSettings(rewords=rewords))
    _propose(home, SOUND)
    word_with_model(home)
    proposal = home.queue.find("k7")
    assert proposal.rule == (PRINCIPLE if rewords else SOUND)
    assert (SOUND in proposal.worded) is rewords
    assert len(drafting.asked) == rewords


def test_a_persons_words_stay(tmp_path: Path) -> None:
    home, drafting = _open(tmp_path, None, caps=LanguageModelSettings(rewords=True))
    _propose(home, "")
    home.queue.settle(home.queue.find("k7").reworded(SOUND))
    assert word_with_model(home) == {}
    assert drafting.asked == []
    assert home.queue.find("k7").rule == SOUND


def test_a_person_who_is_faster_wins(tmp_path: Path) -> None:
    """They word it while the model thinks."""
    home, drafting = _open(tmp_path, None)
    _propose(home, "")

    def slow(lessons: Sequence[MemoryEntry], language: str) -> str:
        home.queue.settle(home.queue.find("k7").reworded(SOUND))
        return PRINCIPLE

    drafting.draft_rule = slow
    assert word_with_model(home) == {"worded_by_model": 0, "left_without_words": 1}
    assert home.queue.find("k7").rule == SOUND


def test_no_lock_is_held_while_it_thinks(tmp_path: Path) -> None:
    """Another operation begins and ends meanwhile."""
    home, drafting = _open(tmp_path, None)
    _propose(home, "")
    held: list[bool] = []

    def look(lessons: Sequence[MemoryEntry], language: str) -> None:
        done = threading.Event()

        def write() -> None:
            with home.storage.operation("Meanwhile"):
                done.set()

        threading.Thread(target=write, daemon=True).start()
        held.append(not done.wait(20))

    drafting.draft_rule = look
    word_with_model(home)
    assert held == [False]


@pytest.mark.parametrize("has_model", [True, False])
def test_it_takes_a_model_and_one_who_drafts(tmp_path: Path, has_model: bool) -> None:
    generalizer = FakeGeneralizer() if has_model else Drafting(None)
    model = FakeLanguageModel() if has_model else None
    with open_fake_home(tmp_path, generalizer=generalizer, language_model=model) as home:
        home.storage.memories.put([memory("The call hung.", "shop")])
        assert word_with_model(home) == {}
