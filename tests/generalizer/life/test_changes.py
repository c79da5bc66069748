"""Changes of rules are proposed from evidence, once, and stay the same proposal while that does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from hardwon.generalizer.evidence import Evidence
from hardwon.generalizer.life import proposing
from hardwon.generalizer.life.looked_at import LookedAt
from hardwon.generalizer.life.merging import merges
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Times
from hardwon.kernel.proposal import Action, Proposal, ProposalKind
from hardwon.kernel.records import Activity
from hardwon.kernel.scope import AppliesWhen
from hardwon.kernel.use_cases.review import accept, reject
from hardwon.testing.examples import MOMENT

from .conftest import CERTIFICATES, SLEEPING, WAIT, Propose, Stand, object_to, support

OTHER = "Never let a test sleep for a time that somebody guessed."
MORE = ("The search test slept and failed at night.", "A test slept one second and failed on Mondays.")
AGAINST = ("The hardware test must sleep: the board needs it.", "This test has to sleep, there is nothing to ask.")


def changes(found: list[Proposal]) -> list[Proposal]:
    return [each for each in found if each.kind is not ProposalKind.NEW_RULE]


def test_a_rule_that_nothing_bears_on_is_left_alone(stand: Stand, propose: Propose) -> None:
    stand(WAIT, SLEEPING)
    assert propose() == []


def test_lessons_that_came_later_and_a_better_sentence_ask_for_a_refinement(
    home: Home, stand: Stand, propose: Propose
) -> None:
    rule = stand(OTHER, SLEEPING)
    assert propose() == []
    support(home, rule, *MORE)

    (found,) = propose()

    assert (found.kind, found.rule, found.suggested_action) == (ProposalKind.REFINE, WAIT, Action.ACCEPT)
    assert [each.id for each in found.targets] == [rule.id]
    assert len(found.instances) == len(SLEEPING) + len(MORE)
    assert found.translations


def test_the_users_own_words_are_not_bettered(home: Home, stand: Stand, propose: Propose) -> None:
    rule = stand(WAIT, SLEEPING, own=OTHER)
    support(home, rule, *MORE)
    assert propose() == []


def test_words_edited_by_hand_are_the_users_own(home: Home, stand: Stand, propose: Propose) -> None:
    rule = stand(OTHER, SLEEPING)
    support(home, rule, *MORE)
    home.storage.memories.update(rule.id, {"content": "Mine.", "lesson": {"principle": "Mine."}})
    assert propose() == []


def test_two_rules_in_the_same_words_are_one(home: Home, stand: Stand, propose: Propose) -> None:
    first, second = stand(WAIT, SLEEPING), stand(f"{WAIT} ", [f"{text} Again." for text in SLEEPING[:3]])

    (found,) = propose()

    assert (found.kind, found.rule) == (ProposalKind.MERGE, WAIT)
    assert {each.id for each in found.targets} == {first.id, second.id}
    assert len(found.instances) == 7
    accept(home, found, by="ada")
    assert propose() == []


def test_two_rules_in_other_words_are_one_where_their_lessons_are_alike(stand: Stand, propose: Propose) -> None:
    first = stand("A flaky test that sleeps must wait for the condition with a deadline.", SLEEPING)
    second = stand("Where a flaky test sleeps, wait for the condition with a deadline.", SLEEPING[:3])
    other = stand("Renew certificates long before they expire, and be told when one will.", CERTIFICATES)

    (found,) = propose()

    assert found.kind is ProposalKind.MERGE
    assert {each.id for each in found.targets} == {first.id, second.id}
    assert other.id not in found.rationale


def test_rules_of_different_causes_are_told_apart_without_comparing_them(
    stand: Stand, propose: Propose, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred rules are five thousand pairs, and a thousand half a million."""
    own: set[int] = set()
    compared: list[tuple[int, int]] = []
    similar = Evidence.similar

    def watched(evidence: Evidence, rows: Sequence[int], columns: Sequence[int]) -> Any:
        if len(rows) == len(columns) == 1 and {*rows, *columns} <= own:
            compared.append((rows[0], columns[0]))
        return similar(evidence, rows, columns)

    def merges_of(looked: LookedAt) -> Any:
        own.update(rule.own for rule in looked.rules)
        return merges(looked)

    monkeypatch.setattr(Evidence, "similar", watched)
    monkeypatch.setattr(proposing, "merges", merges_of)
    stand(WAIT, SLEEPING)
    for place in "abc":
        stand(f"Renew a certificate before it expires, says {place}.", [f"{each} {place}" for each in CERTIFICATES])
    propose()
    assert len(own) == 4
    assert len(compared) == 3


def test_a_rule_of_two_causes_is_two(home: Home, stand: Stand, propose: Propose) -> None:
    rule = stand("Be more thorough with everything that runs over time.", (*SLEEPING, *CERTIFICATES))

    (found,) = propose()

    assert found.kind is ProposalKind.SPLIT
    assert [len(part.instances) for part in found.parts] == [4, 3]
    assert [part.topic for part in found.parts] == ["testing.sleep", "operations.certificates"]
    accept(home, found, by="ada")
    assert propose() == []
    assert home.storage.memories.get([rule.id])[rule.id].status == "archived"


def test_what_is_spoken_against_elsewhere_alone_holds_where_it_was_learned(
    home: Home, stand: Stand, propose: Propose
) -> None:
    rule = stand(WAIT, SLEEPING, tags=("python",))
    object_to(home, rule, AGAINST[0], tags=("c",))
    assert propose() == []
    object_to(home, rule, AGAINST[1], tags=("rust",))

    (found,) = propose()

    assert (found.kind, found.rule) == (ProposalKind.NARROW, WAIT)
    assert found.scope.applies_when == AppliesWhen(languages=("python",))
    assert len(found.against) == 2


@pytest.mark.parametrize("tags", [("python",), ()], ids=["the same language", "no language"])
def test_where_nothing_tells_the_places_apart_the_exceptions_are_only_named(
    home: Home, stand: Stand, propose: Propose, tags: tuple[str, ...]
) -> None:
    rule = stand(WAIT, SLEEPING, tags=("python",))
    object_to(home, rule, *AGAINST, tags=tags)
    assert propose() == []


def test_a_rule_that_fails_is_proposed_for_retirement(home: Home, stand: Stand, propose: Propose) -> None:
    rule = stand(WAIT, SLEEPING)
    object_to(home, rule, *AGAINST)
    home.storage.ledger.append([_said(rule.id, "wrong", "s")])

    (found,) = propose()

    assert found.kind is ProposalKind.RETIRE
    assert "2 lessons speak against it" in found.rationale
    assert "called wrong in 1 session" in found.rationale


def test_a_rule_that_did_not_help_where_it_was_shown_is_proposed_for_better_words(
    home: Home, stand: Stand, propose: Propose
) -> None:
    rule = stand(WAIT, SLEEPING)
    details = {"project": "later-The searc"}
    home.storage.ledger.append([Activity(kind="shown", at=MOMENT, memory=rule.id, session="s", details=details)])
    times = Times(asserted_at=MOMENT, valid_at=MOMENT + timedelta(days=2))
    support(home, rule, *(f"The search test slept {time}." for time in ("once", "twice", "often")), times=times)

    (found,) = propose()

    assert (found.kind, found.rule, found.suggested_action) == (ProposalKind.REFINE, "", Action.REWRITE)
    assert "3 times where it had been shown" in found.rationale


def test_the_same_change_is_the_same_proposal_night_after_night(home: Home, stand: Stand, propose: Propose) -> None:
    support(home, stand(OTHER, SLEEPING), *MORE)
    assert propose() == propose()


def test_a_rejected_change_comes_back_only_with_more_evidence(home: Home, stand: Stand, propose: Propose) -> None:
    rule = stand(OTHER, SLEEPING)
    support(home, rule, *MORE)
    (found,) = propose()
    reject(home, found, by="ada")
    assert propose() == []
    support(home, rule, "A third test slept and failed.")
    assert propose() == []
    support(home, rule, "A fourth test slept and failed.")

    (again,) = propose()

    assert again.id != found.id
    assert found.id in again.rationale


def test_a_decision_counts_where_the_proposals_document_is_lost(home: Home, stand: Stand, propose: Propose) -> None:
    support(home, stand(OTHER, SLEEPING), *MORE)
    (found,) = propose()
    reject(home, found, by="ada")
    kept: Any = home.queue
    kept._proposals.pop(found.id)

    assert changes(propose()) == []


def test_one_change_of_a_rule_waits_at_a_time_and_the_worst_is_first(
    home: Home, stand: Stand, propose: Propose
) -> None:
    rule = stand(OTHER, SLEEPING)
    support(home, rule, *MORE)
    object_to(home, rule, *AGAINST, "A test may sleep when nobody waits for it.")

    (found,) = propose()

    assert found.kind is ProposalKind.RETIRE


def test_lessons_that_came_to_a_rule_are_not_proposed_as_a_new_one(home: Home, stand: Stand, propose: Propose) -> None:
    """They are in no proposal that was accepted, and stand behind the rule all the same."""
    rule = stand(WAIT, SLEEPING)
    support(home, rule, *MORE, "A fifth test slept and failed.")
    assert propose() == []


def _said(rule: str, verdict: str, session: str) -> Activity:
    return Activity(kind="feedback", at=MOMENT, memory=rule, session=session, details={"verdict": verdict})
