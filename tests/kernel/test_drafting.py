"""What an agent words is kept as its own, survives the next consolidation, and gives way to the user's words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.lesson_fields import WEAK, author_of
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.ports import Bearing
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import Action, Proposal, ProposalKind, instance_of
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.drafting import save_draft, set_aside, waiting_for_words
from hardwon.kernel.use_cases.drafts_told import LONGEST_ANSWER, within_bounds, works_text
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.kernel.use_cases.review import accept, reword
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import open_fake_home

RULE = "Send the same key with every repeat of a request that may have taken effect."
BETTER = "Repeat a request only with the key that it had the first time."
LESSONS = (
    memory("The shop charged twice after a timeout.", "shop"),
    memory("The bank booked a transfer twice.", "bank", lesson=Lesson(principle=RULE)),
)


class Proposes:
    """A Generalizer that proposes what a test put into it."""

    def __init__(self, proposals: list[Proposal]) -> None:
        self.proposals = proposals

    def propose(self, *_given: object) -> list[Proposal]:
        return self.proposals

    def weigh(self, *_given: object) -> list[Bearing]:
        return []


def proposal(rule: str = "", kind: ProposalKind = ProposalKind.NEW_RULE) -> Proposal:
    return Proposal(
        id="k7wordless", kind=kind, rule=rule, instances=tuple(map(instance_of, LESSONS)), created_at=MOMENT
    )


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path / "home") as home:
        home.storage.memories.put(LESSONS)
        home.queue.add([proposal()])
        yield home


def waiting(home: Home, limit: int = 10) -> list[str]:
    return [work.id for work in waiting_for_words(home, limit)[0]]


def test_proposals_without_words_wait_before_lessons_without_a_principle(home: Home) -> None:
    """The lesson that has one does not wait."""
    assert waiting(home) == ["k7wordless", LESSONS[0].id]
    assert waiting(home, 1) == ["k7wordless"]
    assert waiting_for_words(home, 0) == ([], 2)


@pytest.mark.parametrize(
    ("kind", "rule", "waits"),
    [
        (ProposalKind.NEW_RULE, RULE, False),
        (ProposalKind.NEW_RULE, "The bank booked it twice.", True),
        (ProposalKind.REFINE, "", True),
        (ProposalKind.RETIRE, "", False),
        (ProposalKind.SPLIT, "", False),
    ],
)
def test_a_proposal_waits_where_its_sentence_cannot_stand(
    home: Home, kind: ProposalKind, rule: str, waits: bool
) -> None:
    """What is no single sentence does not."""
    home.queue.settle(proposal(rule, kind))
    assert ("k7wordless" in waiting(home)) is waits


def test_a_doubtful_sentence_waits_after_those_that_cannot_stand(home: Home) -> None:
    """It is bettered, or found right, and then it waits no more."""
    doubtful = proposal(RULE).model_copy(update={"id": "k1doubtful", "suggested_action": Action.REWRITE})
    home.queue.add([doubtful])
    works, _ = waiting_for_words(home, 9, doubtful=True)
    assert [work.id for work in works] == ["k7wordless", "k1doubtful", LESSONS[0].id]
    assert "which is doubtful" in works_text(works, 3, "")
    assert "k1doubtful" not in waiting(home)
    save_draft(home, "k1doubtful", {"principle": RULE}, by="codex")
    kept = home.queue.find("k1doubtful")
    assert (kept.rule, kept.worded) == (RULE, "codex looked at the generalizer's wording and kept it.")
    assert [work.id for work in waiting_for_words(home, 9, doubtful=True)[0]] == ["k7wordless", LESSONS[0].id]


def test_one_may_be_asked_for_by_its_id(home: Home) -> None:
    assert [work.id for work in waiting_for_words(home, 9, only="k7")[0]] == ["k7wordless"]
    assert waiting_for_words(home, 9, only=LESSONS[0].id[-8:])[1] == 1
    assert waiting_for_words(home, 9, only="nothing")[1] == 0


def test_a_draft_keeps_what_a_person_changed_beside_the_words(home: Home) -> None:
    """Where it is to hold, and which lessons belong to it."""
    narrowed = home.queue.find("k7wordless").changed_by_hand(scope=Scope(project="shop")).leaving_out([LESSONS[1].id])
    home.queue.settle(narrowed)
    save_draft(home, "k7wordless", {"principle": RULE}, by="codex")
    stands = home.queue.find("k7wordless")
    assert (stands.rule, stands.scope.project, stands.left_out) == (RULE, "shop", (LESSONS[1].id,))
    assert stands.generalized.rule == ""


def test_a_draft_outlives_a_consolidation_and_its_refreshed_evidence(tmp_path: Path) -> None:
    """And the generalizer's own words are kept beside it."""
    generalizer = Proposes([proposal()])
    with open_fake_home(tmp_path / "home", generalizer=generalizer) as home:
        home.storage.memories.put(LESSONS)
        consolidate(home)
        save_draft(home, "k7wordless", {"principle": RULE}, by="codex")
        assert consolidate(home).refreshed == ()
        generalizer.proposals = [proposal("Be on time.").model_copy(update={"confidence": 0.9})]
        assert consolidate(home).refreshed == ("k7wordless",)
        [stands] = home.queue.pending()
        assert (stands.rule, stands.worded_by, stands.confidence) == (RULE, "codex", 0.9)
        assert stands.generalized.rule == "Be on time."
        assert "Worded by codex" in stands.worded
        assert "k7wordless" not in waiting(home)
        accepted = accept(home, stands, by="ada")
        assert accepted.rule.content == RULE


def test_the_users_words_win_over_a_draft_and_a_decision_ends_it(home: Home) -> None:
    save_draft(home, "k7wordless", {"principle": RULE}, by="codex")
    save_draft(home, "k7wordless", {"principle": BETTER}, by="claude-code")
    reworded = reword(home, home.queue.find("k7wordless"), "In my own words, never charge anybody twice.")
    assert (reworded.worded_by, reworded.proposed_rule, reworded.generalized.rule) == ("claude-code", BETTER, "")
    with pytest.raises(Conflict, match="worded it"):
        save_draft(home, "k7wordless", {"principle": RULE}, by="codex")
    accept(home, reworded, by="ada")
    with pytest.raises(Conflict, match="decided"):
        save_draft(home, "k7wordless", {"principle": RULE}, by="codex")


def test_a_draft_that_names_a_project_by_any_of_its_names_is_answered_with_all_that_is_to_be_mended(
    home: Home,
) -> None:
    save_projects(home, ProjectBook({"larkmail": "shop"}))
    drafted = save_draft(home, "k7wordless", {"principle": "Larkmail and the bank use keys."}, by="codex")
    assert [fault.kind for fault in drafted.to_mend[0].faults] == ["name", "name", "fact"]
    assert home.queue.find("k7wordless").rule == ""


def test_a_draft_is_in_the_language_of_the_lessons_or_the_one_that_the_user_set(home: Home) -> None:
    chinese = "可能已经生效的请求，重发时必须使用第一次的键。"
    assert [each.kind for each in save_draft(home, "k7wordless", {"principle": chinese}, by="x").to_mend[0].faults] == [
        "language"
    ]
    home.settings = home.settings.model_copy(update={"language": "zh"})
    assert save_draft(home, "k7wordless", {"principle": chinese}, by="x").to_mend == ()


def test_fields_that_are_sound_are_kept_though_another_is_to_be_mended(home: Home) -> None:
    id = LESSONS[0].id
    drafted = save_draft(home, id, {"cause": "Each call had a new key.", "principle": "It was new."}, by="codex")
    assert drafted.kept == {"cause": "Each call had a new key."}
    assert [each.field for each in drafted.to_mend] == ["principle"]
    [kept] = home.storage.memories.get([id]).values()
    assert author_of(kept, "cause") == "codex"


def test_what_nobody_gave_words_for_is_refused(home: Home) -> None:
    with pytest.raises(InvalidInput, match="Nothing was given"):
        save_draft(home, LESSONS[0].id, {"principle": "  "}, by="codex")
    with pytest.raises(InvalidInput, match="proposed rule"):
        save_draft(home, "k7wordless", {"cause": "x"}, by="codex")


def test_a_lesson_that_was_set_aside_waits_no_more(home: Home) -> None:
    """It may still get a principle; one that has one is not set aside."""
    set_aside(home, LESSONS[0].id, by="codex")
    assert waiting(home) == ["k7wordless"]
    save_draft(home, LESSONS[0].id, {"principle": RULE}, by="codex")
    with pytest.raises(Conflict):
        set_aside(home, LESSONS[0].id, by="codex")


@pytest.mark.parametrize("fields", [{}, {"cause": "It was new."}], ids=["set aside", "worded"])
def test_what_a_person_writes_just_before_the_draft_is_kept_stays(
    home: Home, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str]
) -> None:
    """Between reading a lesson and taking the lock."""
    id, operation = LESSONS[0].id, home.storage.operation

    def late(why: str) -> AbstractContextManager[None]:
        [entry] = home.storage.memories.get([id]).values()
        theirs = entry.lesson.model_copy(update={"fix": "We kept the key."})
        home.storage.memories.update(id, {"lesson": theirs, "metadata": {"team": "payments"}})
        return operation(why)

    monkeypatch.setattr(home.storage, "operation", late)
    save_draft(home, id, fields, by="codex") if fields else set_aside(home, id, by="codex")
    [kept] = home.storage.memories.get([id]).values()
    assert (kept.lesson.fix, kept.metadata["team"]) == ("We kept the key.", "payments")


@pytest.mark.parametrize("fields", [{}, {"cause": "It was new."}], ids=["set aside", "worded"])
def test_what_was_forgotten_meanwhile_does_not_come_back(
    home: Home, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str]
) -> None:
    id, operation = LESSONS[0].id, home.storage.operation

    def late(why: str) -> AbstractContextManager[None]:
        home.storage.memories.delete([id])
        return operation(why)

    monkeypatch.setattr(home.storage, "operation", late)
    with pytest.raises(NotFound):
        save_draft(home, id, fields, by="codex") if fields else set_aside(home, id, by="codex")
    assert home.storage.memories.get([id]) == {}


def test_a_weak_principle_that_was_left_out_is_told_with_its_faults(home: Home) -> None:
    weak: MemoryEntry = memory("A third one.", "maps", metadata={WEAK: "The maps were slow."})
    home.storage.memories.put([weak])
    text = works_text(waiting_for_words(home, 10)[0], 3, "")
    assert "“The maps were slow.” cannot stand: it names maps, tells what happened" in text


def test_no_answer_quotes_without_end(home: Home) -> None:
    """However many are asked for."""
    home.storage.memories.put([memory(f"{number} " + "long " * 999, "shop") for number in range(99)])
    works, count = waiting_for_words(home, 99)
    assert count == 101
    assert 1 < len(within_bounds(works)) < 99
    assert len(works_text(within_bounds(works), count, "")) < 2 * LONGEST_ANSWER
