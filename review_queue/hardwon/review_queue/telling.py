"""Proposals told to a reader: as data for programs (fields fixed in docs/reference/formats.md) and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardwon.kernel.counting import counted
from hardwon.kernel.proposal import Decision, Instance, Proposal
from hardwon.kernel.records import Problem


def as_data(proposal: Proposal) -> dict[str, Any]:
    """Return a proposal as `review list --json` gives it."""
    return {
        "id": proposal.id,
        "kind": proposal.kind,
        "rule": proposal.rule,
        "worded_by": proposal.worded_by,
        "translations": proposal.translations,
        "topic": proposal.topic,
        "rationale": proposal.rationale,
        "confidence": proposal.confidence,
        "confidence_parts": proposal.confidence_parts,
        "suggested_action": proposal.suggested_action,
        "projects": list(proposal.projects),
        "instances": [_instance(each) for each in proposal.instances],
        "against": [_instance(each) for each in proposal.against],
    }


def listing(pending: Sequence[Proposal], problems: Sequence[Problem]) -> str:
    """Return the queue, a line each, best first, and what of it cannot be read."""
    waiting = f"{counted(len(pending), 'proposal')} {'waits' if len(pending) == 1 else 'wait'} for you."
    lines = [waiting if pending else "Nothing waits for you."]
    lines += [
        f"- `{each.id}` **{each.confidence:.2f}** {each.suggested_action}: {each.rule or '(no wording yet)'} "
        f"— {counted(len(each.instances), 'lesson')} of {counted(len(each.projects), 'project')}"
        for each in pending
    ]
    lines += [f"- {problem.what}" for problem in problems]
    return "\n".join(lines)


def details(proposal: Proposal, decisions: Sequence[Decision]) -> str:
    """Return one proposal whole."""
    lines = [
        f"# {proposal.rule or '(no wording yet)'}",
        "",
        *(f"- {code}: {words}" for code, words in proposal.translations.items() if words != proposal.rule),
        f"- proposal `{proposal.id}`, {proposal.kind}, {proposal.state}; suggested: {proposal.suggested_action}",
        f"- topic {proposal.topic or 'none'}",
        "",
        *filter(None, [proposal.rationale, proposal.worded]),
        "",
        f"## Confidence {proposal.confidence:.2f}",
        "",
        *(f"- {name}: {value:.2f}" for name, value in proposal.confidence_parts.items()),
        "",
        f"## Lessons ({len(proposal.instances)} of {counted(len(proposal.projects), 'project')})",
        "",
        *(f"- **{each.project or 'everywhere'}** `{each.id}` {each.evidence}" for each in proposal.instances),
        "",
        "## What speaks against it",
        "",
        *([f"- **{each.project}** `{each.id}` {each.evidence}" for each in proposal.against] or ["Nothing so far."]),
    ]
    if decisions:
        lines += ["", "## Decisions", ""]
        lines += [f"- {each.at:%Y-%m-%d %H:%M} {each.by}: {each.action}. {each.why}".rstrip() for each in decisions]
    return "\n".join(lines)


def _instance(instance: Instance) -> dict[str, Any]:
    return {"id": instance.id, "external_id": instance.external_id, "project": instance.project}
