"""How a rule does: every figure from what was kept, the word from nothing else, and a word that does not flicker."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Source, Status, Times
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.rules.health import Condition, Health, health_of
from hardwon.testing.examples import MOMENT, memory

DAY = timedelta(days=1)


def shown(rule: MemoryEntry, project: str | None, day: int, session: str | None = "s") -> Activity:
    details = {"project": project} if project else {}
    return Activity(kind="shown", at=MOMENT + day * DAY, memory=rule.id, session=session, details=details)


def said(rule: MemoryEntry, verdict: str, session: str | None = None) -> Activity:
    return Activity(kind="feedback", at=MOMENT, memory=rule.id, session=session, details={"verdict": verdict})


def health(home: Home, rule: MemoryEntry) -> Health:
    entry = home.storage.memories.get([rule.id])[rule.id]
    return health_of(home, [entry])[rule.id]


def happened(home: Home, rule: MemoryEntry, project: str, day: int, **fields: object) -> MemoryEntry:
    """Return a lesson of the rule's cause that happened on a day."""
    times = Times(asserted_at=MOMENT + (day + 1) * DAY, valid_at=MOMENT + day * DAY)
    (lesson,) = home.storage.memories.put([memory("It hung again.", project, **({"times": times} | fields))])
    edge = Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)
    home.storage.memories.relate([edge])
    return lesson


def object_to(home: Home, rule: MemoryEntry, project: str) -> None:
    (lesson,) = home.storage.memories.put([memory("A limit broke it.", project)])
    edge = Relation(source=lesson.id, kind=RelationKind.CONTRADICTS, target=rule.id, asserted_at=MOMENT)
    home.storage.memories.relate([edge])


def test_a_rule_that_was_never_shown_is_untried(home: Home, rule: MemoryEntry) -> None:
    found = health(home, rule)
    assert (found.condition, found.shown, found.why) == (Condition.UNTRIED, 0, "Never shown.")


def test_showings_are_counted_by_times_sessions_and_projects(home: Home, rule: MemoryEntry) -> None:
    """One without a session is a showing; one that two processes recorded counts once."""
    once = shown(rule, "a", 1)
    home.storage.ledger.append([once, once, shown(rule, "b", 2), shown(rule, None, 3, None)])

    found = health(home, rule)

    assert (found.shown, found.sessions, found.shown_in) == (3, 1, ("a", "b"))
    assert found.condition is Condition.HEALTHY


def test_it_failed_to_prevent_what_happened_where_it_had_been_shown(home: Home, rule: MemoryEntry) -> None:
    home.storage.ledger.append([shown(rule, "d", 5)])
    after = happened(home, rule, "d", 6)
    happened(home, rule, "d", 4)
    happened(home, rule, "elsewhere", 6)

    found = health(home, rule)

    assert found.not_prevented == (after.id,)
    assert found.condition is Condition.DOUBTED


def test_of_an_old_note_that_comes_without_a_date_nobody_knows_when_it_happened(home: Home, rule: MemoryEntry) -> None:
    """What a session told when it happened is dated by that."""
    home.storage.ledger.append([shown(rule, "d", 1)])
    undated = Times(asserted_at=MOMENT + 9 * DAY)
    happened(home, rule, "d", 8, times=undated)
    assert health(home, rule).not_prevented == ()

    live = happened(home, rule, "d", 8, times=undated, source=Source(said_by="agent", session="s-2"))
    assert health(home, rule).not_prevented == (live.id,)


def test_a_verdict_counts_once_a_session(home: Home, rule: MemoryEntry) -> None:
    home.storage.ledger.append([said(rule, "wrong", "s")] * 5 + [said(rule, "useful"), said(rule, "useful")])

    found = health(home, rule)

    assert (found.wrong, found.useful, found.condition) == (1, 2, Condition.DOUBTED)


def test_three_signs_against_a_rule_and_fewer_for_it_make_it_fail(home: Home, rule: MemoryEntry) -> None:
    home.storage.ledger.append([said(rule, "wrong", name) for name in ("s", "t", "u")])
    assert health(home, rule).condition is Condition.FAILING
    home.storage.ledger.append([said(rule, "useful", name) for name in ("v", "w", "x")])
    assert health(home, rule).condition is Condition.DOUBTED


def test_a_rule_that_as_many_speak_against_as_for_fails(home: Home, rule: MemoryEntry) -> None:
    for name in ("x", "y", "z"):
        object_to(home, rule, name)

    found = health(home, rule)

    assert (len(found.against), found.condition) == (3, Condition.FAILING)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[:6])
def test_the_word_hangs_neither_on_the_order_nor_on_the_clock(
    home: Home, rule: MemoryEntry, order: tuple[int, ...]
) -> None:
    records = [said(rule, "wrong", "s"), said(rule, "useful", "t"), shown(rule, "d", 1), shown(rule, "e", 400)]
    home.storage.ledger.append([records[place] for place in order])

    found = [health(home, rule) for _ in range(2)]

    assert found[0] == found[1]
    assert (found[0].condition, found[0].shown) == (Condition.DOUBTED, 2)


def test_nothing_of_it_is_written_anywhere(home: Home, rule: MemoryEntry) -> None:
    home.storage.ledger.append([said(rule, "wrong", "s")])
    before = home.storage.memories.get([rule.id])

    health(home, rule)

    assert home.storage.memories.get([rule.id]) == before


def test_a_retired_rule_and_a_superseded_one_are_told_apart(home: Home, rule: MemoryEntry) -> None:
    home.storage.memories.update(rule.id, {"status": Status.ARCHIVED})
    assert health(home, rule).condition is Condition.RETIRED
    (heir,) = home.storage.memories.put([memory("A better rule.", kind="rule")])
    edge = Relation(source=heir.id, kind=RelationKind.SUPERSEDES, target=rule.id, asserted_at=MOMENT)
    home.storage.memories.relate([edge])
    assert health(home, rule).condition is Condition.SUPERSEDED
