"""Which lessons bear on a rule: those that plainly tell of its cause, those that deny it, and no others."""

from __future__ import annotations

import pytest

from hardwon.generalizer.actions import consolidate
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.scope import Scope
from hardwon.testing.examples import memory

from .conftest import CERTIFICATES, SLEEPING, WAIT, Stand


def weighed(home: Home, rules: list[MemoryEntry], *lessons: MemoryEntry) -> dict[str, tuple[str, bool]]:
    """Return what each lesson says, by its id: of which rule, and whether it agrees."""
    kept = home.storage.memories.put(lessons)
    return {each.lesson: (each.rule, each.agrees) for each in home.generalizer.weigh(kept, rules)}


@pytest.fixture
def rules(stand: Stand) -> list[MemoryEntry]:
    monitor = "Monitor the expiry date of every certificate that is served and renew it automatically."
    return [stand(WAIT, SLEEPING), stand(monitor, CERTIFICATES)]


def test_a_lesson_that_tells_of_the_cause_speaks_for_that_rule_alone(home: Home, rules: list[MemoryEntry]) -> None:
    lesson = memory("The search test slept for three seconds and still failed at night.", "new")
    assert weighed(home, rules, lesson) == {lesson.id: (rules[0].id, True)}


def test_a_lesson_that_denies_what_the_rule_demands_speaks_against_it(home: Home, rules: list[MemoryEntry]) -> None:
    lesson = memory("Do not wait for the condition with a deadline: this test must sleep, polling wakes it.", "new")
    assert weighed(home, rules, lesson) == {lesson.id: (rules[0].id, False)}


def test_a_lesson_that_forbids_what_the_rule_says_to_do_is_never_evidence_for_it(
    home: Home, rules: list[MemoryEntry]
) -> None:
    """In other words than the rule's it may not be known to speak against it; then it bears on nothing."""
    text = "{} sleep on the slow runner: the test slept and was flaky under load."
    agrees, forbids = memory(text.format("Do not"), "new"), memory(text.format("Do not wait, but"), "newer")
    assert weighed(home, rules, agrees, forbids) == {agrees.id: (rules[0].id, True)}


def test_a_run_says_what_it_linked_to_rules(home: Home, rules: list[MemoryEntry]) -> None:
    """It is done without asking, and so it is told."""
    agrees = memory("The search test slept for three seconds and still failed at night.", "new")
    denies = memory("Do not wait for the condition with a deadline: this test must sleep, polling wakes it.", "newer")
    home.storage.memories.put([agrees, denies])
    told = "1 lesson joined a rule, 1 lesson noted as speaking against one; `hardwon log` names them."
    assert told in consolidate(home).text


@pytest.mark.parametrize(
    "text",
    [
        "The landing page is blue now, and marketing likes it.",
        "Do not use the blue button on the landing page; it is ugly.",
        "We deployed on Friday.",
        "",
    ],
)
def test_what_has_nothing_to_do_with_any_rule_bears_on_none(home: Home, rules: list[MemoryEntry], text: str) -> None:
    assert weighed(home, rules, memory(text or "…", "new")) == {}


def test_what_is_archived_proves_nothing(home: Home, rules: list[MemoryEntry]) -> None:
    lesson = memory("The search test slept and still failed at night.", "new", status=Status.ARCHIVED)
    assert weighed(home, rules, lesson) == {}


def test_a_lesson_of_another_team_bears_on_no_rule(home: Home, rules: list[MemoryEntry]) -> None:
    scope = Scope(namespace="another", project="new")
    lesson = memory("The search test slept and still failed at night.", scope=scope)
    assert weighed(home, rules, lesson) == {}


def test_a_rules_own_lessons_are_not_weighed_again(home: Home, rules: list[MemoryEntry]) -> None:
    edges = home.storage.memories.relations(rules[0].id)
    own = list(home.storage.memories.get([edge.target for edge in edges]).values())
    assert home.generalizer.weigh(own, rules) == []


def test_where_no_rule_stands_nothing_bears(home: Home) -> None:
    assert weighed(home, [], memory(SLEEPING[0], "new")) == {}
