"""MemoryEntry says what a memory is; its revision changes with whatever it says, and with nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hardwon.kernel.memory import MAXIMUM_TOPIC_LEVELS, Kind, MemoryEntry
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.testing.examples import MOMENT, complete_decision, complete_memory, complete_proposal, memory

CHANGES: dict[str, Any] = {
    "external_id": "x",
    "content": "x",
    "lesson": {"fix": "x"},
    "scope": {"project": "x"},
    "topics": ["x"],
    "tags": ["x"],
    "source": {"line": 1},
    "times": {"asserted_at": "2020-01-01"},
    "confidence": 0.1,
    "status": "archived",
    "metadata": {"x": 1},
}


@pytest.mark.parametrize(
    "value", [complete_memory(), complete_proposal(), complete_decision()], ids=lambda v: type(v).__name__
)
def test_a_value_survives_json(value: Any) -> None:
    assert type(value).model_validate_json(value.model_dump_json()) == value


@pytest.mark.parametrize("field", CHANGES)
def test_the_revision_changes_with_any_field(field: str) -> None:
    old = complete_memory()
    assert MemoryEntry.model_validate({**old.model_dump(), field: CHANGES[field]}).revision != old.revision


def test_the_revision_does_not_depend_on_the_order_of_metadata() -> None:
    old = memory("x", metadata={"a": 1, "b": 2})
    assert old.model_copy(update={"metadata": {"b": 2, "a": 1}}).revision == old.revision


def test_a_value_is_frozen_and_refuses_what_it_does_not_know() -> None:
    entry = memory("x")
    with pytest.raises(ValidationError):
        entry.content = "y"  # type: ignore[misc]
    with pytest.raises(ValidationError, match="colour"):
        memory("x", colour="red")


@pytest.mark.parametrize(
    ("given_topics", "kept"),
    [
        (["a.b", "a/b", " a . b "], ("a.b",)),
        (["数据.时间", "c"], ("数据.时间", "c")),
        ([".a..b."], ("a.b",)),
        ([".".join("abcdefgh")], (".".join("abcdefgh"),)),
    ],
)
def test_topics_are_dotted_paths_without_repetition(given_topics: list[str], kept: tuple[str, ...]) -> None:
    entry = memory("x", topics=given_topics)
    assert entry.topics == kept
    assert entry.home_topic == kept[0]


@pytest.mark.parametrize("topic", ["", "..", ".".join("x" * (MAXIMUM_TOPIC_LEVELS + 1))])
def test_a_topic_without_a_level_or_with_too_many_is_refused(topic: str) -> None:
    with pytest.raises(ValidationError, match="1 to 8 levels"):
        memory("x", topics=[topic])


@pytest.mark.parametrize("share", [-0.01, 1.01, float("nan"), float("inf")])
def test_confidence_and_importance_are_shares(share: float) -> None:
    for field in ("confidence", "importance"):
        with pytest.raises(ValidationError):
            memory("x", **{field: share})


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("\n\n## The **title** of `it`\n\nText", "The title of it"),
        ("- a bullet\n- another", "a bullet"),
        ("> 引用的话", "引用的话"),
        ("迁移先加 lock_timeout，__init__.py 不用改", "迁移先加 lock_timeout，__init__.py 不用改"),
        ("x" * 200, "x" * 79 + "…"),
    ],
)
def test_a_title_is_the_first_line_without_markdown(content: str, title: str) -> None:
    assert memory(content).title == title


@given(st.text())
def test_every_memory_has_a_title_of_one_short_line(content: str) -> None:
    title = memory(content).title
    assert title
    assert len(title) <= 80
    assert len(title.splitlines()) == 1


def test_every_kind_has_its_memory_type() -> None:
    assert {kind.memory_type for kind in Kind} == {"episodic", "semantic", "procedural"}
    assert Kind.EVENT.memory_type == "episodic"
    assert Kind.RULE.memory_type == "procedural"


@pytest.mark.parametrize("kind", RelationKind)
def test_an_edge_has_a_name_from_either_end(kind: RelationKind) -> None:
    edge = Relation(source="a", kind=kind, target="b", asserted_at=MOMENT)
    assert (edge.named_from("a"), edge.named_from("b")) == (kind.value, kind.inverse)
    assert (edge.other("a"), edge.other("b")) == ("b", "a")


def test_a_moment_without_a_zone_is_utc() -> None:
    assert memory("x", at=datetime(2026, 1, 1)).times.asserted_at == datetime(2026, 1, 1, tzinfo=UTC)
