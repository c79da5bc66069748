"""The rule's text comes from the catalogue or from a lesson's principle, never from a lesson's own account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hardwon.generalizer import offline
from hardwon.generalizer.catalogue import Concept
from hardwon.generalizer.wording import ENOUGH, SURE, Leading, choose_wording, leading_concept, main_language
from hardwon.kernel import lesson_fields as fields
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.proposal import Action, Proposal
from hardwon.kernel.text import language_of
from hardwon.testing.examples import memory

OpenHome = Callable[..., Home]
PRINCIPLES = {"en": "Feed the penguins before noon, every day.", "zh": "必须在每天中午之前给企鹅喂食。"}
CONCEPT = Concept("zoo.penguins", {"en": "Penguins", "zh": "企鹅"}, PRINCIPLES, ("penguin*",), ())
OWN = "Always count the fish before the penguins are fed."
OTHERS = "Always count the fish twice before feeding."


def lessons(*principles: str | None, project: str = "zoo") -> list[MemoryEntry]:
    """Return a lesson a principle, each of a project of its own."""
    return [
        memory(f"The penguins were hungry on day {day}.", f"{project}-{day}", lesson=Lesson(principle=principle))
        for day, principle in enumerate(principles)
    ]


def worded(members: Sequence[MemoryEntry], share: float, language: str = "en", meanings: Any = None) -> tuple[str, str]:
    wording = choose_wording(members, Leading(CONCEPT, share), meanings, language)
    return wording.rule, wording.source


@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_the_catalogue_is_sure_its_principle_is_taken(language: str) -> None:
    """In the user's language; the others come along as translations."""
    wording = choose_wording(lessons(OWN, OTHERS), Leading(CONCEPT, SURE), None, language)
    assert (wording.rule, wording.source) == (PRINCIPLES[language], "catalogue")
    assert wording.translations == {code: text for code, text in PRINCIPLES.items() if code != language}


@pytest.mark.parametrize(
    ("language", "situation"),
    [("en", "feed a penguin; count fish\n喂企鹅；数鱼"), ("zh", "喂企鹅；数鱼\nfeed a penguin; count fish")],
)
def test_a_catalogued_rule_says_which_tasks_it_is_for(language: str, situation: str) -> None:
    """In every language that it has, the user's first: it is found by them."""
    tasks = {"en": ("feed a penguin", "count fish"), "zh": ("喂企鹅", "数鱼")}
    concept = replace(CONCEPT, tasks=tasks)
    assert choose_wording(lessons(None), Leading(concept, SURE), None, language).situation == situation


def test_what_somebody_wrote_goes_before_what_was_derived() -> None:
    """However near the derived sentence is to all others."""
    derived, written = lessons(None, OWN)
    derived = derived.model_copy(update=fields.worded(derived, {"principle": OTHERS}, fields.DERIVED))
    meanings = np.array([[1.0, 0.0], [0.0, 0.1]])
    assert worded([derived, written], 0.0, meanings=meanings) == (OWN, "principle")
    assert worded([derived, derived], 0.0) == (OTHERS, "principle")


def test_a_language_that_the_catalogue_lacks_gets_what_there_is() -> None:
    assert worded(lessons(None), SURE, "fr") == (PRINCIPLES["en"], "catalogue")


def test_where_it_is_not_sure_a_principle_of_the_lessons_is_taken() -> None:
    assert worded(lessons(OWN, OTHERS, None), SURE - 0.01) == (OWN, "principle")


def test_the_principle_nearest_to_the_others_is_taken() -> None:
    near = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8]], dtype=np.float32)
    middle = "Always count the fish in the evening, too."
    assert worded(lessons(OWN, middle, OTHERS), ENOUGH, meanings=near) == (middle, "principle")


@pytest.mark.parametrize(
    "named",
    [
        "Always count the fish of zoo-0 before noon.",
        "Always call count_fish before the penguins are fed.",
        "The fish were not counted before the feeding.",
    ],
)
def test_a_principle_that_names_or_only_tells_is_passed_over(named: str) -> None:
    assert worded(lessons(named, OTHERS), ENOUGH) == (OTHERS, "principle")
    assert worded(lessons(named, named), 0) == ("", "none")


def test_one_principle_alone_is_no_agreement() -> None:
    assert worded(lessons(OWN, None, None), 0) == ("", "none")


def test_a_principle_in_another_language_is_passed_over() -> None:
    assert worded(lessons("必须先数清楚鱼的数量再喂企鹅。", OTHERS), ENOUGH, "en") == (OTHERS, "principle")


def test_what_the_catalogue_only_suggests_is_the_last_resort() -> None:
    assert worded(lessons(None, None), ENOUGH) == (PRINCIPLES["en"], "catalogue")
    assert worded(lessons(None, None), ENOUGH - 0.01) == ("", "none")


def test_the_leading_concept_is_what_members_believe_in_most() -> None:
    other = Concept("zoo.seals", {}, {}, (), ())
    leading = leading_concept(np.array([[0.2, 0.8], [0.6, 0.4]], dtype=np.float32), [CONCEPT, other])
    assert leading.concept is other
    assert leading.share == pytest.approx(0.6)


def test_the_user_may_set_the_language() -> None:
    """Else it is that of most lessons, and a tie does not hang on their order."""
    told = [memory("The penguins were hungry."), memory("企鹅饿了。"), memory("企鹅又饿了。")]
    assert main_language(told, "") == "zh"
    assert main_language(told, "en") == "en"
    assert main_language(told[:2], "") == main_language(told[1::-1], "")


def only(home: Home, members: Sequence[MemoryEntry]) -> Proposal:
    [proposal] = home.generalizer.propose(members, [], [], [])
    return proposal


def test_a_proposal_shows_the_rule_in_both_languages(plain_home: Home, waiting: list[MemoryEntry]) -> None:
    proposal = only(plain_home, waiting)
    assert proposal.rule.startswith("Wait in tests")
    assert set(proposal.translations) == {"zh"}
    assert (proposal.topic, proposal.suggested_action) == ("testing.sleep", Action.ACCEPT)


def test_rules_are_proposed_in_the_language_of_the_settings(open_home: OpenHome, waiting: list[MemoryEntry]) -> None:
    proposal = only(open_home('language = "zh"\n', embedder=None), waiting)
    assert language_of(proposal.rule) == "zh"
    assert set(proposal.translations) == {"en"}


ALIKE = "The walrus at the gate ate the ticket, so that visitor number {} stood outside until the keeper came at noon."


def test_without_a_wording_the_reviewer_is_asked_to_write_one(
    plain_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the lessons say is never made a rule, however alike they are."""
    monkeypatch.setattr(offline, "DOUBTFUL", 0)
    proposal = only(plain_home, [memory(ALIKE.format(day), f"zoo-{day}") for day in range(5)])
    assert (proposal.rule, proposal.topic, proposal.translations) == ("", "", {})
    assert proposal.suggested_action is Action.REWRITE
    assert "write the rule yourself" in proposal.rationale


def test_a_rule_is_never_a_sentence_of_a_lesson(plain_home: Home, waiting: list[MemoryEntry]) -> None:
    """Not even of one that is worded like a rule."""
    tempting = [
        each.model_copy(update={"content": f"Always poll in the tests of {each.scope.project}. {each.content}"})
        for each in waiting
    ]
    rule = only(plain_home, tempting).rule
    assert rule
    assert not any(rule in each.content or each.scope.project in rule for each in tempting if each.scope.project)


def test_a_lesson_that_denies_the_rule_is_shown_against_it(plain_home: Home, waiting: list[MemoryEntry]) -> None:
    """It is no instance, and it lowers the confidence."""
    denial = memory(
        "Do not wait in tests for the condition with a deadline: the whole suite slept for an hour.", "slow"
    )
    before, after = only(plain_home, waiting), only(plain_home, [*waiting, denial])
    assert [each.id for each in after.against] == [denial.id]
    assert denial.id not in {each.id for each in after.instances}
    assert after.confidence < before.confidence


def test_what_speaks_against_a_rule_is_no_second_project(plain_home: Home, waiting: list[MemoryEntry]) -> None:
    """Three lessons of one project, and a denial from another, are no rule for all."""
    same = [each.model_copy(update={"scope": waiting[0].scope}) for each in waiting[:3]]
    denial = memory("Do not wait in tests for the condition with a deadline: the suite slept for an hour.", "slow")
    assert plain_home.generalizer.propose([*same, denial], [], [], []) == []
