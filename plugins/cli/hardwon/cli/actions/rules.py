"""Commands about rules: how each does, what stands behind it and against it, and the user's word on that."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.views import escaped, memory_json
from hardwon.kernel.actions import Report
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision

RuleId = Annotated[str, "the rule's id, or a unique part of it"]
LessonId = Annotated[str, "the lesson's id, a unique part of it, or the id it had elsewhere"]
Why = Annotated[str, "the reason, kept with the decision"]


def rules(home: Home, *, all: Annotated[bool, "also those that were retired or superseded"] = False) -> Report:
    """List the rules that you accepted: how each does and why, the lessons behind it and those against."""
    from hardwon.kernel.memory import Kind
    from hardwon.kernel.query import RECALLED, Filter

    home.require()
    found = list(home.storage.memories.scan(Filter(kinds=(Kind.RULE,), statuses=None if all else RECALLED)))
    told = _told(home, found)
    lines = [
        f"- `{rule.id}` {escaped(rule.title)}\n  **{each['health']['condition']}**: {escaped(each['health']['why'])}\n"
        + _indented(each)
        for rule, each in zip(found, told, strict=True)
    ]
    return Report(
        [{**memory_json(rule), **each} for rule, each in zip(found, told, strict=True)],
        "\n".join(lines) or "No rule yet; `hardwon consolidate`, then `hardwon review list`.",
    )


def life_of(home: Home, rule: MemoryEntry) -> tuple[dict[str, Any], str]:
    """Return what `show` tells of a rule beside what it tells of every memory: as data, and as Markdown."""
    from hardwon.kernel.use_cases.rules.versions import versions_of

    (told,) = _told(home, [rule])
    versions = versions_of(home, rule.id)
    data = told | {"versions": [_version(each) for each in versions]}
    health = told["health"]
    parts = [
        f"## How it does: {health['condition']}\n\n{escaped(health['why'])}",
        f"## Lessons behind it\n\n{_lines(told['lessons'])}",
        f"## Exceptions: what speaks against it\n\n{_lines(told['against'])}",
    ]
    if len(versions) > 1:
        lines = (f"- {_day(each)} `{each.id}` {escaped(each.title)} ({each.status})" for each in versions)
        parts.append("## Versions\n\n" + "\n".join(lines))
    return data, "\n\n".join(parts)


def link(
    home: Home,
    rule: RuleId,
    lesson: LessonId,
    *,
    against: Annotated[bool, "the lesson speaks against the rule: it is an exception"] = False,
    why: Why = "",
) -> Report:
    """Say that a lesson speaks for a rule, or against it."""
    from hardwon.kernel.people import account_name
    from hardwon.kernel.use_cases.lookup import find_memory
    from hardwon.kernel.use_cases.rules.linking import link as say

    home.require()
    ends = find_memory(home, rule), find_memory(home, lesson)
    return _decided(say(home, *ends, against=against, by=account_name(), why=why))


def unlink(home: Home, rule: RuleId, lesson: LessonId, *, why: Why = "") -> Report:
    """Say that a lesson speaks neither for a rule nor against it; nothing brings such a link back by itself."""
    from hardwon.kernel.people import account_name
    from hardwon.kernel.use_cases.lookup import find_memory
    from hardwon.kernel.use_cases.rules.linking import unlink as say

    home.require()
    return _decided(say(home, find_memory(home, rule), find_memory(home, lesson), by=account_name(), why=why))


def _decided(decision: Decision) -> Report:
    from hardwon.kernel.use_cases.rules.telling import told_decision

    data = {
        "rule": decision.rule,
        "lesson": next(iter(decision.revisions)),
        "relation": decision.after or None,
        "decision": decision.id,
    }
    return Report(data, escaped(told_decision(decision)))


def _told(home: Home, found: Sequence[MemoryEntry]) -> list[dict[str, Any]]:
    """Return for each rule its health, and the memories that stand behind it and against it."""
    from hardwon.kernel.use_cases.rules.backing import backing_of
    from hardwon.kernel.use_cases.rules.health import health_of

    health = health_of(home, found)
    return [
        {
            "projects": list(each.projects),
            "lessons": [_evidence(lesson) for lesson in each.lessons],
            "against": [_evidence(lesson) for lesson in each.against],
            "health": {name: value for name, value in asdict(health[each.rule.id]).items() if name != "rule"},
        }
        for each in backing_of(home, found)
    ]


def _evidence(lesson: MemoryEntry) -> dict[str, Any]:
    return {
        "id": lesson.id,
        "external_id": lesson.external_id,
        "project": lesson.scope.project,
        "title": lesson.title,
    }


def _version(rule: MemoryEntry) -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title,
        "status": rule.status,
        "asserted_at": rule.times.asserted_at,
        "retracted_at": rule.times.retracted_at,
    }


def _day(rule: MemoryEntry) -> str:
    return f"{rule.times.asserted_at.astimezone():%Y-%m-%d}"


def _lines(evidence: Sequence[dict[str, Any]]) -> str:
    lines = [f"- `{each['id']}` {escaped(each['title'])} ({each['project'] or 'everywhere'})" for each in evidence]
    return "\n".join(lines) or "Nothing so far."


def _indented(told: dict[str, Any]) -> str:
    lines = [f"  {line}" for line in _lines(told["lessons"]).splitlines()]
    if told["against"]:
        lines += ["  - against it:", *(f"    {line}" for line in _lines(told["against"]).splitlines())]
    return "\n".join(lines)
