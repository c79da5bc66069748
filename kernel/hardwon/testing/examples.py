"""Values for tests: one of each filled to the last field, and lessons that belong together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import Channel, Kind, Lesson, MemoryEntry, Source, Status, Strength, Times
from hardwon.kernel.proposal import Action, Decision, Instance, Proposal
from hardwon.kernel.scope import AppliesWhen, Scope, Visibility

MOMENT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
AWKWARD_METADATA: dict[str, Any] = {
    "plain": "value",
    "looks like true": "yes",
    "looks like a number": "1e3",
    "looks like a date": "2026-01-02",
    "looks like nothing": ["null", "~", ""],
    "quotes": 'it\'s "both" and a \\ too: # no comment',
    "lines": "first\n  second, indented\n\nlast",
    "nested": {"deep": [1, -2.5, True, None, {"deeper": []}], "ключ": "值 🦀"},
}
"""JSON-able things that a careless YAML writer changes on the way."""

UNIT_TESTS = "Control the clock in tests instead of sleeping."
MIGRATIONS = "Make every schema migration compatible with the version that still runs."


def memory(content: str, project: str | None = None, at: datetime = MOMENT, **fields: Any) -> MemoryEntry:
    """Return a memory with a fresh id, believed since `at`; `fields` are any other fields of MemoryEntry."""
    given: dict[str, Any] = {"id": new_id(at), "scope": Scope(project=project), "times": Times(asserted_at=at)}
    return MemoryEntry(content=content, **(given | fields))


def complete_memory() -> MemoryEntry:
    """Return a memory in which no field has its default."""
    zone = timezone(timedelta(hours=5, minutes=30))
    return MemoryEntry(
        id=new_id(MOMENT),
        external_id="ticket-17",
        idempotency_key="import:ticket-17",
        kind=Kind.DECISION,
        content="# Pin the runner\n\nCI broke when `ubuntu-latest` moved.\n\n- pin it\n- 固定版本",
        lesson=Lesson(
            situation="nightly build", cause="a floating tag", fix="pinned", principle="Pin what you run on."
        ),
        scope=Scope(
            namespace="team",
            project="github.com/acme/shop",
            agent="reviewer",
            applies_when=AppliesWhen(languages=("python",), frameworks=("django",), roles=("qa",), tags=("ci",)),
        ),
        visibility=Visibility.SHARED_APPEND,
        branch="main",
        topics=("delivery.ci.runners", "versions"),
        tags=("ci", "持续集成"),
        source=_complete_source(),
        times=Times(
            valid_at=datetime(2026, 1, 1, 8, 30, tzinfo=zone),
            valid_until=datetime(2027, 1, 1, tzinfo=UTC),
            asserted_at=MOMENT,
            retracted_at=datetime(2028, 1, 1, 12, 0, 0, 250_000, tzinfo=UTC),
        ),
        confidence=0.75,
        importance=0.25,
        strength=Strength.HARD,
        channel=Channel.PROFILE,
        status=Status.CONFLICT,
        metadata=AWKWARD_METADATA,
    )


def _complete_source() -> Source:
    return Source(
        said_by="agent",
        harness="some-harness",
        agent="worker-2",
        session="s-1",
        turn="t-9",
        file="docs/ci.md",
        line=12,
        url="https://example.org/17",
        evidence="it broke on Monday",
    )


def instance(lesson: MemoryEntry) -> Instance:
    """Return a lesson as a proposal refers to it."""
    return Instance(
        id=lesson.id,
        external_id=lesson.external_id,
        project=lesson.scope.project,
        revision=lesson.revision,
        evidence=lesson.title,
    )


def complete_proposal(**fields: Any) -> Proposal:
    """Return a proposal in which every field but its kind and state is filled; `fields` replace some."""
    lessons = related_lessons()
    given: dict[str, Any] = {
        "id": new_id(MOMENT),
        "rule": UNIT_TESTS,
        "translations": {"zh": "测试里要控制时钟，不要睡眠等待。"},
        "rationale": "Three projects had tests that failed by chance.\n\nAll of them slept.",
        "topic": "testing.time",
        "scope": Scope(applies_when=AppliesWhen(languages=("python", "go"))),
        "instances": tuple(map(instance, lessons[:3])),
        "against": (instance(lessons[3]),),
        "confidence": 0.8125,
        "confidence_parts": {"support": 0.75, "spread": 0.875},
        "suggested_action": Action.REWRITE,
        "created_at": MOMENT,
        "metadata": {"views": ["text", "principle"], "threshold": 0.5},
    }
    return Proposal(**(given | fields))


def complete_decision(proposal: str = "p1", **fields: Any) -> Decision:
    """Return a decision in which every field is filled; `fields` replace some."""
    given: dict[str, Any] = {
        "id": new_id(MOMENT),
        "proposal": proposal,
        "kind": "split",
        "action": "rewrite",
        "by": "Ada <ada@example.org>",
        "at": MOMENT,
        "why": "Too narrow: 别的语言也一样。",
        "before": "Do not sleep.",
        "after": UNIT_TESTS,
        "rule": new_id(MOMENT),
        "revisions": {"lesson-1": "abc"},
        "targets": {"rule-1": "def"},
        "groups": (("lesson-1", "lesson-2"), ("lesson-3",)),
        "undoes": "an-earlier-one",
        "follows": "an-earlier-one",
    }
    return Decision(**(given | fields))


def related_lessons() -> list[MemoryEntry]:
    """Return three lessons of three projects with one principle, and one of a fourth project with another."""
    told = (
        ("shop", UNIT_TESTS, "The checkout test slept two seconds and failed on a slow runner; a fake clock fixed it."),
        ("blog", UNIT_TESTS, "Our cache test slept until the entry expired and was flaky; we inject the clock now."),
        ("maps", UNIT_TESTS, "任务调度的测试靠 sleep 等待，偶尔失败；改用可控的时钟之后稳定了。"),
        ("bank", MIGRATIONS, "Dropping the column broke the old pods during the roll-out; drop it one release later."),
    )
    return [
        memory(content, project, MOMENT + timedelta(days=day), lesson=Lesson(principle=principle))
        for day, (project, principle, content) in enumerate(told)
    ]
