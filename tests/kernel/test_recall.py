"""Recall answers from what one may see here, brings rules and their lessons, and says why it shows nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry, Status, Times
from hardwon.kernel.project_names import ProjectBook, visible_projects
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import AppliesWhen, Context, Scope
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.kernel.use_cases.recall import Recall, recall, recall_json
from hardwon.kernel.use_cases.recall_weaker import weaker_answers
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock, open_fake_home

OF_GO = AppliesWhen(languages=("go",))
QUESTION = "retry a payment after a timeout"
NOW = MOMENT + timedelta(days=10)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=FixedClock(NOW)) as home:
        yield home


def keep(home: Home, *entries: MemoryEntry) -> None:
    home.storage.memories.put(entries)


def link(home: Home, source: MemoryEntry, kind: RelationKind, *targets: MemoryEntry) -> None:
    home.storage.memories.relate(
        [Relation(source=source.id, kind=kind, target=target.id, asserted_at=MOMENT) for target in targets]
    )


def ask(home: Home, project: str | None = None, text: str = QUESTION, **fields: object) -> Recall:
    return recall(home, Query(text=text, context=Context(project=project), **fields))  # type: ignore[arg-type]


def shown(answer: Recall) -> list[tuple[str, str]]:
    return [(hit.entry.content, hit.via) for hit in answer.hits]


@pytest.mark.parametrize("place", ["acme/shop", "shop-2019"])
def test_memories_under_any_name_of_a_project_are_its_own(home: Home, place: str) -> None:
    """Imported under a short name, or kept before it had a remote: an alias orphans nothing."""
    save_projects(home, ProjectBook({"shop": "acme/shop", "shop-2019": "shop"}))
    keep(
        home,
        memory("payment timeout: retry, key", "acme/shop"),
        memory("payment timeout: retry, short", "shop"),
        memory("payment timeout: retry, old", "shop-2019"),
        memory("payment timeout: retry, foreign", "blog"),
    )
    answer = ask(home, place)
    assert {content.rpartition(" ")[2] for content, _ in shown(answer)} == {"key", "short", "old"}


def test_a_package_is_found_under_any_name_of_its_project(home: Home) -> None:
    save_projects(home, ProjectBook({"shop": "acme/shop"}))
    keep(
        home, memory("payment timeout: retry, package", "shop/web"), memory("payment timeout: retry, other", "shop/api")
    )
    assert [content for content, _ in shown(ask(home, "acme/shop/web"))] == ["payment timeout: retry, package"]


def test_a_project_sees_its_own_and_global_memories(home: Home) -> None:
    """And those of the monorepo that it is a package of; outside of any project one sees all."""
    keep(
        home,
        memory("payment timeout: retry, ours", "acme/shop/web"),
        memory("payment timeout: retry, parent", "acme/shop"),
        memory("payment timeout: retry, sibling", "acme/shop/api"),
        memory("payment timeout: retry, foreign", "acme/blog"),
        memory("payment timeout: retry, everywhere"),
    )
    seen = {content.split()[-1] for content, _ in shown(ask(home, "acme/shop/web"))}
    assert seen == {"ours", "parent", "everywhere"}
    assert len(shown(ask(home))) == 5


def test_visible_projects_are_the_path_upwards() -> None:
    assert visible_projects("a/b/c") == (None, "a/b/c", "a/b", "a")
    assert visible_projects(None) is None


def test_other_namespaces_are_not_seen(home: Home) -> None:
    keep(home, memory("payment timeout: retry", scope=Scope(namespace="team")))
    assert not ask(home).hits
    assert recall(home, Query(text=QUESTION, context=Context(namespace="team"))).hits


def test_a_rule_brings_its_lessons(home: Home) -> None:
    """From whatever project they are, marked as instances, below what was found."""
    rule = memory("After a timeout, retry a payment with the same key.", kind=Kind.RULE)
    lesson = memory("Customers were charged twice.", "bank")
    keep(home, rule, lesson)
    link(home, rule, RelationKind.GENERALIZES, lesson)
    answer = ask(home, "shop")
    assert shown(answer) == [(rule.content, "direct"), (lesson.content, "instance")]
    assert answer.hits[1].of == rule.id


def test_a_lesson_brings_its_rule(home: Home) -> None:
    rule = memory("Make every write idempotent.", kind=Kind.RULE)
    lesson = memory("A payment after a timeout: the retry booked it twice.", "shop")
    keep(home, rule, lesson)
    link(home, rule, RelationKind.GENERALIZES, lesson)
    assert shown(ask(home, "shop")) == [(lesson.content, "direct"), (rule.content, "rule")]


def test_an_exception_stands_beside_its_rule_where_both_hold(home: Home) -> None:
    """Though it shares no word with the question; and the exception, where it is found, brings the rule."""
    rule = memory("After a timeout, retry a payment with the same key.", kind=Kind.RULE)
    exception = memory("The bank's gateway books twice whatever the key.", "bank")
    keep(home, rule, exception)
    link(home, exception, RelationKind.CONTRADICTS, rule)
    answer = ask(home, "bank")
    assert shown(answer) == [(rule.content, "direct"), (exception.content, "against")]
    assert (answer.hits[1].of, answer.hits[1].against) == (rule.id, rule.id)
    assert shown(ask(home, "shop")) == [(rule.content, "direct")]
    elsewhere = memory(
        "Older gateways of theirs refuse the key.", "bank", scope=Scope(project="bank", applies_when=OF_GO)
    )
    keep(home, elsewhere)
    link(home, elsewhere, RelationKind.CONTRADICTS, rule)
    in_python = Context(project="bank", languages=("python",))
    hits = recall(home, Query(text=QUESTION, context=in_python)).hits
    assert [hit.entry.id for hit in hits] == [rule.id, exception.id]
    by_exception = ask(home, "bank", "bank's gateway books twice")
    assert shown(by_exception) == [(exception.content, "direct"), (rule.content, "against")]


def test_the_two_sides_of_a_conflict_are_named(home: Home) -> None:
    """Both were found, and the second one says which it speaks against."""
    keep(home, one := memory("payment timeout: retry once", "shop", status=Status.CONFLICT))
    keep(home, other := memory("payment timeout: retry never, ask", "shop", status=Status.CONFLICT))
    link(home, other, RelationKind.CONTRADICTS, one)
    first, second = ask(home, "shop").hits
    assert (first.against, second.against) == (None, first.entry.id)
    assert {first.via, second.via} == {"direct"}


def test_what_answers_too_weakly_is_for_those_who_asked(home: Home) -> None:
    """Beside the hits and never among them, and only where nothing answers."""
    keep(home, near := memory("A payment that is late."), memory("The weather is fine."))
    answer = ask(home)
    assert (answer.hits, bool(answer.refused)) == ((), True)
    assert [(hit.entry.id, hit.via) for hit in weaker_answers(home, answer)] == [(near.id, "weak")]
    keep(home, memory("payment timeout: retry"))
    assert weaker_answers(home, ask(home)) == []


def test_a_lesson_stands_below_a_rule_that_ranks_above_it(home: Home) -> None:
    """It takes no place of its own."""
    rule = memory("retry a payment after a timeout", kind=Kind.RULE, confidence=1.0)
    lesson = memory("payment timeout retry: charged twice", "shop", confidence=0.1)
    keep(home, rule, lesson)
    link(home, rule, RelationKind.GENERALIZES, lesson)
    answer = ask(home)
    assert shown(answer) == [(rule.content, "direct"), (lesson.content, "instance")]
    assert f"it stands below its rule {rule.id}" in {each.hidden for each in answer.ranked}


def test_a_superseded_memory_is_replaced_by_its_newest(home: Home) -> None:
    """However long the chain is, and even if the newest shares no word with the question."""
    old, newer, newest = memory("retry a payment after a timeout"), memory("middle"), memory("Never do it blindly.")
    keep(home, old, newer, newest)
    link(home, newer, RelationKind.SUPERSEDES, old)
    link(home, newest, RelationKind.SUPERSEDES, newer)
    answer = ask(home)
    assert shown(answer) == [(newest.content, "supersedes")]
    assert f"it is superseded by {newest.id}" in {each.hidden for each in answer.ranked}


def test_a_circle_of_superseding_ends(home: Home) -> None:
    one, other = memory("retry a payment after a timeout"), memory("another")
    keep(home, one, other)
    link(home, one, RelationKind.SUPERSEDES, other)
    link(home, other, RelationKind.SUPERSEDES, one)
    assert ask(home).hits


def test_what_expired_or_was_retracted_is_out_unless_its_time_is_asked_for(home: Home) -> None:
    day = timedelta(days=1)
    expired = Times(asserted_at=MOMENT, valid_until=MOMENT + day)
    retracted = Times(asserted_at=MOMENT, retracted_at=MOMENT + day)
    keep(home, memory("payment timeout: retry once", times=expired))
    keep(home, memory("payment timeout: retry twice", times=retracted))
    assert not ask(home).hits
    assert len(ask(home, filter=Filter(as_of=MOMENT, statuses=(Status.ACTIVE,))).hits) == 1
    assert len(ask(home, filter=Filter(known_at=MOMENT, as_of=MOMENT, statuses=(Status.ACTIVE,))).hits) == 2


@pytest.mark.parametrize("status", [Status.OBSERVED, Status.ARCHIVED])
def test_observed_and_archived_memories_come_when_asked_for(home: Home, status: Status) -> None:
    keep(home, memory("payment timeout: retry", status=status))
    assert not ask(home).hits
    assert recall(home, Query(text=QUESTION), include=[status]).hits


def test_what_was_archived_by_retracting_it_comes_when_archived_is_asked_for(home: Home) -> None:
    """As a memory whose file was deleted by hand, or a rule that was undone."""
    gone = Times(asserted_at=MOMENT, retracted_at=MOMENT + timedelta(days=1))
    keep(home, memory("payment timeout: retry", status=Status.ARCHIVED, times=gone))
    assert not ask(home).hits
    assert recall(home, Query(text=QUESTION), include=[Status.ARCHIVED]).hits
    assert not recall(
        home, Query(text=QUESTION, filter=Filter(known_at=MOMENT + timedelta(days=2))), include=[Status.ARCHIVED]
    ).hits


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "The question is empty"),
        ("write a haiku about autumn", "shares a word or the meaning"),
        (
            "timeout in the haiku about autumn leaves falling slowly",
            "Nothing answers this well enough (1 found, evidence 0.",
        ),
    ],
)
def test_showing_nothing_has_a_reason(home: Home, text: str, why: str) -> None:
    keep(home, memory("payment timeout: retry"))
    answer = ask(home, text=text)
    assert answer.hits == ()
    assert answer.refused is not None
    assert why in answer.refused


def test_what_is_shown_is_recorded_without_the_question(home: Home) -> None:
    """Each memory with its score and the parts of it, in the ledger alone; a question may hold a secret."""
    entry = memory("payment timeout: retry")
    keep(home, entry)
    recall(home, Query(text="payment timeout hunter2"), session="s1")
    [record] = home.storage.ledger.activity("shown")
    assert (record.session, record.memory) == ("s1", entry.id)
    assert record.details["via"] == "direct"
    assert record.details["score"] > 0
    assert "relevance" in record.details["parts"]
    assert "hunter2" not in record.model_dump_json()


def test_an_answer_stands_without_its_record(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_records: object) -> None:
        raise StoreError("The disk is full; make room.")

    keep(home, memory("payment timeout: retry"))
    monkeypatch.setattr(home.storage.ledger, "append", full)
    answer = ask(home)
    assert answer.hits
    assert any("The disk is full" in note for note in answer.notes)


def test_what_helped_ranks_higher(home: Home) -> None:
    """By the feedback in the ledger."""
    plain, helpful = memory("payment timeout: retry one"), memory("payment timeout: retry two")
    keep(home, plain, helpful)
    useful = Activity(kind="feedback", at=NOW, memory=helpful.id, details={"verdict": "useful"})
    home.storage.ledger.append([useful])
    assert [hit.entry.id for hit in ask(home).hits] == [helpful.id, plain.id]


def test_limit_and_budget_hold(home: Home) -> None:
    """For what is found and what it brings together."""
    keep(home, *(memory(f"payment timeout: retry number {number}") for number in range(10)))
    assert len(ask(home, limit=3).hits) == 3
    answer = ask(home, limit=10, budget=30)
    assert 0 < answer.tokens <= 30
    assert len(answer.hits) < 10


def test_the_json_is_what_programs_rely_on(home: Home) -> None:
    keep(home, memory("payment timeout: retry", "shop", external_id="x-1"))
    told = json.loads(json.dumps(recall_json(ask(home))))
    assert {"query", "hits", "refused", "budget"} <= set(told)
    assert told["query"] == QUESTION
    assert told["refused"] is None
    [hit] = told["hits"]
    assert set(hit) == {"id", "external_id", "kind", "scope", "content", "score", "parts", "via", "against", "status"}
    assert (hit["external_id"], hit["scope"], hit["via"]) == ("x-1", "project:shop", "direct")
    assert {"relevance", "confidence", "freshness", "use", "lexical"} <= set(hit["parts"])
