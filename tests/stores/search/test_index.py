"""Keyword search takes any text as a question, in any script, and finds within the scope that the filter names."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardwon.kernel.memory import Kind, Lesson, Status
from hardwon.kernel.query import Filter, Query
from hardwon.testing.examples import memory

Searching = Callable[..., Any]

AWKWARD = [
    "multi-agent", "don't", "GB/s", "ubuntu 20.04", '"unbalanced', "(foo | foo*", "NEAR(", "AND", "col:val", "^x",
    "a=b", "C:\\dir", "` `` `", "💥", "", '"' * 10_000, "\x00", "\ud83d", "NOT NULL OR", "terms:x", "x" * 100_000,
    "wort " * 20_000, "中" * 50_000, "'; DROP TABLE memories; --",
]  # fmt: skip


@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_any_text_is_a_valid_question(searched: Searching, text: str) -> None:
    entry = memory("A multi-agent run on ubuntu 20.04 wrote 3 GB/s to C:\\dir and foo said NOT NULL.")
    searched([entry]).index.search(Query(text=text))


@given(st.text(st.characters(exclude_categories=()), max_size=100))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_can_be_kept_found_and_removed(searched: Searching, text: str) -> None:
    entry = memory(text)
    memories = searched([entry])
    memories.index.search(Query(text=text))
    memories.index.remove([entry.id])
    assert not memories.found(Query(text=text))


@pytest.mark.parametrize(
    ("asked", "content"),
    [
        ("multi-agent", "A multi-agent run stalled."),
        ("ubuntu 20.04", "It broke on ubuntu 20.04 only."),
        ("connection", "The connections leaked."),
        ("getUserId", "get_user_id returned None."),
        ("止损", "因为没有设置止损策略亏了很多"),
        ("接続", "データベースの接続が切れた"),
        ("연결", "데이터베이스연결이 끊겼다"),
        ("ข้อมูล", "ฐานข้อมูลล่ม"),
        ("समय", "समय क्षेत्र गलत था"),
        ("часовой пояс", "Неверный часовой пояс сервера"),
    ],
)
def test_a_word_is_found_in_any_script(searched: Searching, asked: str, content: str) -> None:
    """Even where it is two characters in the middle of a run, or inflected, or written in another style."""
    entry, other = memory(content), memory("Something else entirely, 完全不同的内容。")
    assert searched([entry, other]).shown(asked) == [entry.id]


def test_lesson_tags_topics_and_date_are_searched(searched: Searching) -> None:
    entry = memory(
        "It happened.",
        lesson=Lesson(situation="nightly build", principle="Pin what you run on."),
        tags=("flaky",),
        topics=("delivery.runners",),
    )
    memories = searched([entry])
    for asked in ("nightly", "pinning", "flaky", "runners", "2026-03-01", "2026年3月"):
        assert memories.shown(asked) == [entry.id], asked


def test_a_memory_alone_in_the_store_is_found(searched: Searching) -> None:
    """Where every term is in every memory, idf must not turn to nothing."""
    entries = [memory("The payment was booked twice.") for _ in range(3)]
    for count in (1, 2, 3):
        assert len(searched(entries[:count]).found(Query(text="payment twice"))) == count


def test_replacing_a_memory_leaves_nothing_of_the_old_text(searched: Searching) -> None:
    old = memory("The scheduler drifted.")
    memories = searched([old])
    memories.index.add([old.model_copy(update={"content": "The cache was stale."})])
    assert not memories.found(Query(text="scheduler"))
    assert set(memories.found(Query(text="cache"))) == {old.id}


def test_removing_all_leaves_the_index_as_new(searched: Searching) -> None:
    entries = [memory(f"Entry number {number} about 数据库") for number in range(5)]
    memories = searched(entries)
    memories.index.remove([entry.id for entry in entries])
    memories.index.remove(["unknown"])
    count = memories.connection.execute
    assert count("SELECT documents, length FROM search_totals").fetchone() == (0, 0)
    assert count("SELECT count(*) FROM search_terms").fetchone() == (0,)
    memories.connection.execute("INSERT INTO search_postings(search_postings) VALUES ('integrity-check')")


def test_a_changed_row_is_noticed_by_the_integrity_check(searched: Searching) -> None:
    """So that a doctor can tell, and build anew from the files."""
    memories = searched([memory("The scheduler drifted.")])
    memories.connection.execute("UPDATE search_documents SET terms = 'other words'")
    with pytest.raises(sqlite3.DatabaseError):
        memories.connection.execute("INSERT INTO search_postings(search_postings, rank) VALUES ('integrity-check', 1)")


def test_the_rarer_word_counts_more(searched: Searching) -> None:
    common = [memory(f"The server failed, time {number}.") for number in range(30)]
    rare = memory("The server met a quine.")
    candidates = searched([*common, rare]).found(Query(text="server quine"))
    assert max(candidates.values(), key=lambda candidate: candidate.lexical).id == rare.id


def test_a_filter_finds_what_lies_behind_many_better_matches(searched: Searching) -> None:
    """A project's one memory is found among thousands of other projects' that match as well or better."""
    others = [memory("retry the payment after a timeout", f"other-{number % 50}") for number in range(3000)]
    own = memory("a payment with a retry, of ours", "own")
    memories = searched([*others, own])
    query = Query(text="retry the payment after a timeout", filter=Filter(projects=("own", None)))
    assert set(memories.found(query)) == {own.id}


def test_statuses_and_kinds_are_filtered(searched: Searching) -> None:
    archived, fact = memory("the payment", status=Status.ARCHIVED), memory("the payment", kind=Kind.FACT)
    memories = searched([archived, fact])
    assert set(memories.found(Query(text="payment"))) == {fact.id}
    assert set(memories.found(Query(text="payment", filter=Filter(statuses=None, kinds=(Kind.LESSON,))))) == {
        archived.id
    }


def test_a_rule_is_found_through_lessons_of_other_projects(searched: Searching) -> None:
    """It shares no word with the question; its lessons do, and stay unseen themselves."""
    rule = memory("Make every write idempotent.", kind=Kind.RULE)
    lessons = [memory("The payment was retried and booked twice.", "bank"), memory("A retry paid twice.", "shop")]
    memories = searched([rule, *lessons, memory("Unrelated.", "here")])
    memories.relate(rule, *lessons)
    query = Query(text="retry the payment", filter=Filter(projects=("here", None)))
    [candidate] = memories.found(query).values()
    assert candidate.id == rule.id
    assert {member.id for member in candidate.members} == {lesson.id for lesson in lessons}


def test_recent_turns_count_less_than_the_question(searched: Searching) -> None:
    asked, said = memory("the quorum was lost"), memory("the certificate ran out")
    memories = searched([asked, said])
    candidates = memories.found(Query(text="quorum", turns=("and the certificate?",)))
    assert candidates[asked.id].lexical > candidates[said.id].lexical > 0


def test_every_matched_word_is_explained(searched: Searching) -> None:
    entry = memory("Two mutexes were taken in opposite order.")
    [candidate] = searched([entry]).found(Query(text="order of mutexes, please")).values()
    assert set(candidate.matched) == {"mutex", "order"}
    assert sum(candidate.matched.values()) == pytest.approx(candidate.lexical)
