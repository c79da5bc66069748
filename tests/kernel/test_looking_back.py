"""What was shown in a session can be told afterwards: when, why, and what stands behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import spool
from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.query import Query
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.looking_back import look_back
from hardwon.kernel.use_cases.recall import recall
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock, open_fake_home

NOW = MOMENT + timedelta(days=30)
TEXT = "After a timeout, retry a payment with the same key."


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=FixedClock(NOW)) as home:
        yield home


def kept(home: Home, text: str = TEXT, **fields: Any) -> MemoryEntry:
    return home.storage.memories.put([memory(text, **fields)])[0]


def showed(home: Home, entry: MemoryEntry, session: str, days_ago: float = 0.0) -> None:
    at = NOW - timedelta(days=days_ago)
    details = {"via": "direct", "score": 0.5, "harness": "codex"}
    home.storage.ledger.append([Activity(kind="shown", at=at, memory=entry.id, session=session, details=details)])


def hook_showed(home: Home, *shown: tuple[str, str, float], session: str = "s-hook") -> None:
    """Leave what the hook program leaves."""
    record = {
        "format": 1,
        "harness": "claude-code",
        "moment": "shown",
        "session": session,
        "folder": "/projects/shop",
        "turn": "t1",
        "at": NOW.timestamp(),
        "prompt_turn": "t1",
        "lexical": True,
        "shown": [list(each) for each in shown],
    }
    spool.put(str(home.path), json.dumps(record).encode())


def test_what_recall_showed_comes_with_its_score_and_the_parts_of_it(home: Home) -> None:
    rule, lesson = kept(home, kind=Kind.RULE), kept(home, "Customers were charged twice.")
    home.storage.memories.relate(
        [Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)]
    )
    [hit, brought] = recall(home, Query(text=TEXT), session="s1").hits
    seen = look_back(home)
    assert seen.session == "s1"
    assert [each.id for each in seen.memories] == [rule.id, lesson.id]
    [showing] = seen.memories[0].showings
    assert (showing.via, showing.at) == ("direct", NOW)
    assert showing.score == pytest.approx(hit.score, abs=1e-4)
    assert showing.parts == pytest.approx(hit.parts, abs=1e-4)
    assert seen.memories[1].showings[0].via == brought.via == "instance"
    assert [(name, entry.id) for name, entry in seen.memories[0].links] == [("generalizes", lesson.id)]
    assert [(name, entry.id) for name, entry in seen.memories[1].links] == [("applies_to", rule.id)]


def test_what_the_hook_showed_is_told_before_anybody_took_it(home: Home) -> None:
    """And once, however often one looks."""
    entry = kept(home)
    hook_showed(home, (entry.id, "direct", 0.75))
    for _ in range(2):
        seen = look_back(home)
        assert (seen.session, seen.harness) == ("s-hook", "claude-code")
        [showing] = seen.memories[0].showings
        assert (showing.score, showing.by_keywords_alone, showing.parts) == (0.75, True, {})
    assert spool.waiting(str(home.path)) == []


def test_other_events_stay_in_the_spool(home: Home) -> None:
    record = {"format": 1, "harness": "codex", "moment": "turn-end", "session": "s", "at": NOW.timestamp()}
    spool.put(str(home.path), json.dumps(record).encode())
    with pytest.raises(NotFound):
        look_back(home)
    assert len(spool.waiting(str(home.path))) == 1


@pytest.mark.parametrize("days_ago", [1, 100])
def test_the_latest_session_is_meant_where_none_is_named(home: Home, days_ago: float) -> None:
    """However long ago it was; all of it, its beginning before the last week too."""
    entry, other = kept(home), kept(home, "Another one.")
    showed(home, other, "before", days_ago + 60)
    showed(home, other, "last", days_ago + 20)
    showed(home, entry, "last", days_ago)
    seen = look_back(home)
    assert seen.session == "last"
    assert [each.id for each in seen.memories] == [other.id, entry.id]


def test_a_recall_outside_of_any_session_is_none(home: Home) -> None:
    kept(home)
    recall(home, Query(text=TEXT))
    with pytest.raises(NotFound, match="in any session yet"):
        look_back(home)


def test_a_session_is_found_by_the_beginning_of_its_id(home: Home) -> None:
    entry = kept(home)
    for session in ("abc-1", "abc-2", "abd"):
        showed(home, entry, session)
    assert look_back(home, "abd").session == "abd"
    assert look_back(home, "abc-2").session == "abc-2"
    assert look_back(home, "abc-2").others == ("abd", "abc-1")
    with pytest.raises(Ambiguous, match="abc-2, abc-1"):
        look_back(home, "abc")
    with pytest.raises(NotFound, match="the latest are abd, abc-2, abc-1"):
        look_back(home, "xyz")


def test_each_time_that_a_memory_was_shown_is_told(home: Home) -> None:
    entry = kept(home)
    showed(home, entry, "s", 2)
    showed(home, entry, "s", 1)
    [seen] = look_back(home).memories
    assert [each.at for each in seen.showings] == [NOW - timedelta(days=2), NOW - timedelta(days=1)]


def test_what_was_forgotten_since_is_told_as_such(home: Home) -> None:
    entry = kept(home)
    showed(home, entry, "s")
    home.storage.memories.delete([entry.id])
    [seen] = look_back(home).memories
    assert (seen.id, seen.memory, seen.links) == (entry.id, None, [])
