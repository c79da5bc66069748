"""What a session is told at its start: how to use the memory, and what always holds here, in a small budget."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from hardwon.kernel.memory import Channel, Kind, Status, Strength, Times
from hardwon.kernel.ranking import tokens_of
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.scope import AppliesWhen

from .conftest import BLOG, LEARNED, Place


def lines(text: str) -> list[str]:
    """Return the memories in a block."""
    return [line for line in text.splitlines() if line.startswith("- [")]


def test_the_guidance_is_told_and_nothing_else_where_there_is_nothing(place: Place) -> None:
    text = place.at_start()
    assert "memory_search" in text
    assert "hardwon feedback ID useful|wrong|stop" in text
    assert lines(text) == []


def test_a_session_that_is_resumed_has_it_already(place: Place) -> None:
    assert place.at_start(source="resume") == ""
    assert place.at_start(source="clear")
    assert place.at_start(source="compact")


def test_what_holds_for_another_language_or_customer_is_not_told(place: Place) -> None:
    (place.wired.folder / "go.mod").write_text("module shop\n", encoding="utf-8")
    (place.wired.folder / ".hardwon.toml").write_text('tags = ["customer-a"]\n', encoding="utf-8")
    for narrowed in (
        {"languages": ("go",)},
        {"languages": ("python",)},
        {"tags": ("customer-b",)},
        {"tags": ("customer-a",)},
    ):
        scope = {"applies_when": AppliesWhen(**narrowed)}
        place.keep(f"Only for {narrowed}.", None, strength=Strength.HARD, scope=scope)
    told = place.at_start()
    assert ["('go',)" in told, "python" in told, "customer-b" in told, "customer-a" in told] == [
        True,
        False,
        False,
        True,
    ]


def test_hard_constraints_come_first_then_rules_that_this_project_taught(place: Place) -> None:
    """Hard is always shown, soft when it is relevant: the rules of others wait for a prompt that they answer."""
    elsewhere = place.keep("Rule with a lesson of another project.", None, kind=Kind.RULE, importance=1.0)
    here = place.keep("Rule with a lesson of this project.", None, kind=Kind.RULE, importance=0.1)
    place.link(elsewhere, RelationKind.GENERALIZES, place.keep("Of the blog.", BLOG))
    place.link(here, RelationKind.GENERALIZES, place.keep("Of the shop."))
    place.keep("Rule of this project alone.", kind=Kind.RULE, importance=0.0)
    place.keep("Rule of all, without a lesson.", None, kind=Kind.RULE)
    place.keep("Hard rule of all.", None, kind=Kind.RULE, strength=Strength.HARD, importance=0.9)
    place.keep("Never push to main.", None, kind=Kind.PREFERENCE, strength=Strength.HARD)
    place.keep("A constraint of another project.", BLOG, strength=Strength.HARD)
    contents = [line.partition(") ")[2] for line in lines(place.at_start())]
    assert contents == [
        "Hard rule of all.",
        "Never push to main.",
        "Rule with a lesson of this project.",
        "Rule of this project alone.",
    ]


def test_what_is_for_another_agent_is_not_told(place: Place) -> None:
    place.keep("For somebody else.", strength=Strength.HARD, scope={"agent": "somebody-else"})
    place.keep("For the tester.", strength=Strength.HARD, scope={"agent": "tester"})
    [line] = lines(place.at_start())
    assert "For the tester." in line


def test_a_constraint_holds_again_once_what_superseded_it_is_archived(place: Place) -> None:
    old = place.keep("The old constraint.", strength=Strength.HARD)
    new = place.keep("The new constraint.", strength=Strength.HARD, status=Status.ARCHIVED)
    place.link(new, RelationKind.SUPERSEDES, old)
    [line] = lines(place.at_start())
    assert "The old constraint." in line


def test_where_our_tools_are_there_they_tell_how_to_save(place: Place) -> None:
    """And nothing at all is said where there is nothing else to tell."""
    assert "memory_save" in place.at_start(session="without")
    place.wired.write_data(harnesses={"tester": place.wired.data["harnesses"]["tester"] | {"tools": True}})
    assert place.at_start(session="empty") == ""
    place.keep("Never push to main.", strength=Strength.HARD)
    text = place.at_start(session="with")
    assert "memory_search" in text
    assert "memory_save" not in text


@pytest.mark.parametrize(
    ("language", "told", "not_told"),
    [("en", "Size a pool", "连接池"), ("zh", "连接池", "Size a pool"), ("fr", "连接池", "nothing")],
)
def test_a_rule_is_told_in_the_language_that_is_spoken(place: Place, language: str, told: str, not_told: str) -> None:
    """A rule's text holds its translations; of a language that it has not, the whole is told."""
    place.keep("Size a pool before a deploy.\n\n部署之前先确定连接池的大小。", kind=Kind.RULE, strength=Strength.HARD)
    place.wired.write_data(settings=place.wired.data["settings"] | {"language": language})
    text = place.at_start()
    assert told in text
    assert not_told not in text


def test_what_is_superseded_or_over_is_not_told(place: Place) -> None:
    old = place.keep("The old constraint.", strength=Strength.HARD)
    new = place.keep("The new constraint.", strength=Strength.HARD)
    place.link(new, RelationKind.SUPERSEDES, old)
    over = Times(asserted_at=LEARNED, valid_until=LEARNED + timedelta(days=1))
    place.keep("The freeze of March.", strength=Strength.HARD, times=over)
    [line] = lines(place.at_start())
    assert "The new constraint." in line


def test_an_intention_is_told_when_it_is_due(place: Place) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    place.keep("Renew the certificate.", channel=Channel.PROACTIVE, times=Times(asserted_at=LEARNED, valid_at=LEARNED))
    place.keep("Ask about it later.", channel=Channel.PROACTIVE, times=Times(asserted_at=LEARNED, valid_at=tomorrow))
    [line] = lines(place.at_start())
    assert "Renew the certificate." in line


def test_proposals_that_wait_are_counted_last(place: Place) -> None:
    queue = place.home.path / "memory" / "review-queue"
    (queue / "decided").mkdir(parents=True)
    for name in ("a.md", "b.md", "decided/c.md"):
        (queue / name).write_text("A proposal.", encoding="utf-8")
    assert place.at_start().splitlines()[-2] == "Proposed rules that await the user's review (`hardwon review`): 2"


def test_the_budget_holds_and_a_long_one_stops_no_other(place: Place) -> None:
    place.keep("The longest constraint. " * 400, strength=Strength.HARD, importance=1.0)
    for number in range(30):
        place.keep(
            f"Constraint {number} is as long as a sentence of some twenty words may be, " * 2, strength=Strength.HARD
        )
    text = place.at_start()
    told = lines(text)
    assert tokens_of(text) <= 400
    assert 3 <= len(told) <= 15
    assert not [line for line in told if "longest" in line]


def test_the_same_memory_is_told_the_same_to_the_byte(place: Place) -> None:
    for number in range(5):
        place.keep(f"Constraint {number}.", strength=Strength.HARD)
    assert place.at_start(session="one") == place.at_start(session="two")


def test_what_was_told_at_the_start_is_not_told_again_to_a_prompt(place: Place) -> None:
    place.keep("Never deploy while the redis connection pool is exhausted.", strength=Strength.HARD)
    assert "Never deploy" in place.at_start()
    assert place.told("may I deploy while the redis connection pool is exhausted?") == ""
    assert [record["shown"][0][1] for record in place.wired.records()] == ["start"]
