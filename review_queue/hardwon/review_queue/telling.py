"""Proposals told to a reader: as data for programs (fields fixed in docs/reference/formats.md) and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.counting import counted
from hardwon.kernel.proposal import Decision, Instance, Proposal, ProposalKind
from hardwon.kernel.records import Problem
from hardwon.review_queue.sections import PLACED, became_of, told_scope

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.review import Accepted

LONGEST_HEADLINE = 400
"""Characters; a rule in one sentence is shorter."""


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
        "left_out": list(proposal.left_out),
        "scope": str(proposal.scope),
        "applies_when": proposal.scope.applies_when.model_dump(mode="json"),
        "targets": [
            {"id": each.id, "project": each.project, "revision": each.revision, "text": each.evidence}
            for each in proposal.targets
        ],
        "parts": [each.model_dump(mode="json", exclude={"scope"}) for each in proposal.parts],
    }


def listing(pending: Sequence[Proposal], problems: Sequence[Problem]) -> str:
    """Return the queue, a line each, best first, and what of it cannot be read."""
    waiting = f"{counted(len(pending), 'proposal')} {'waits' if len(pending) == 1 else 'wait'} for you."
    lines = [waiting if pending else "Nothing waits for you."]
    lines += [
        f"- `{each.id}` **{each.confidence:.2f}** {_what(each)}{each.suggested_action}: {_headline(each)} — {_of(each)}"
        for each in pending
    ]
    lines += [f"- {problem.what}" for problem in problems]
    return "\n".join(lines)


def details(proposal: Proposal, decisions: Sequence[Decision]) -> str:
    """Return one proposal whole."""
    lines = [
        f"# {_headline(proposal)}",
        "",
        *(f"- {code}: {words}" for code, words in proposal.translations.items() if words != proposal.rule),
        f"- proposal `{proposal.id}`, {proposal.kind}, {proposal.state}; suggested: {proposal.suggested_action}",
        f"- topic {proposal.topic or 'none'}",
        *(f"- {each}" for each in (told_scope(proposal) if proposal.kind in PLACED else ())),
        "",
        *filter(None, [proposal.rationale, proposal.worded]),
        *_changes(proposal),
        *([] if proposal.kind is ProposalKind.SETTLE else _evidence(proposal)),
    ]
    if decisions:
        lines += ["", "## Decisions", ""]
        lines += [f"- {each.at:%Y-%m-%d %H:%M} {each.by}: {each.action}. {each.why}".rstrip() for each in decisions]
    return "\n".join(lines)


def accepted_data(accepted: Accepted) -> dict[str, Any]:
    """Return what accepting did, as `review accept --json` gives it."""
    return {
        "proposal": accepted.proposal,
        "rule_id": accepted.rule.id,
        "lessons": list(accepted.lessons),
        "rules": [each.id for each in accepted.rules],
    }


def accepted_text(proposal: Proposal, accepted: Accepted) -> str:
    """Return what accepting did, in a sentence."""
    olds = " and ".join(f"`{target.id}`" for target in proposal.targets)
    stands = {
        ProposalKind.REFINE: f" in place of {olds}",
        ProposalKind.MERGE: f" in place of {olds}",
        ProposalKind.SPLIT: f", beside {counted(len(accepted.rules) - 1, 'other')}, in place of {olds}",
        ProposalKind.NARROW: " in fewer places",
    }.get(proposal.kind, "")
    missing = f" Gone meanwhile: {counted(len(accepted.missing), 'lesson')}." if accepted.missing else ""
    if proposal.kind is ProposalKind.SETTLE:
        others = " and ".join(f"`{each.id}`" for each in proposal.targets if each.id != accepted.rule.id)
        return f"`{accepted.rule.id}` holds now and takes the place of {others}: {accepted.rule.title}"
    if proposal.kind is ProposalKind.RETIRE:
        return f"Rule `{accepted.rule.id}` is retired and lies in the archive: {accepted.rule.title}"
    number = counted(len(accepted.lessons), "lesson")
    return f"Rule `{accepted.rule.id}` stands{stands}, with {number}: {accepted.rule.title}{missing}"


def _what(proposal: Proposal) -> str:
    """Return the kind of a change; nothing for a new rule, of which most of the queue consists."""
    return "" if proposal.kind is ProposalKind.NEW_RULE else f"*{proposal.kind}* "


def _of(proposal: Proposal) -> str:
    """Return of how much it is made."""
    if proposal.kind is ProposalKind.SETTLE:
        return f"{counted(len(proposal.targets), 'memory', 'memories')} in conflict"
    return f"{counted(len(proposal.instances), 'lesson')} of {counted(len(proposal.projects), 'project')}"


def _headline(proposal: Proposal) -> str:
    told = " ".join(proposal.rule.split()) or "(no wording yet)"  # a question quotes a memory, of any length
    told = told if len(told) <= LONGEST_HEADLINE else f"{told[: LONGEST_HEADLINE - 1].rstrip()}…"
    return told if proposal.rule or not proposal.targets else f"{told} for “{proposal.targets[0].evidence}”"


def _evidence(proposal: Proposal) -> list[str]:
    """Return how sure a proposal is, and its lessons for and against; two memories in conflict have none of it."""
    return [
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


def _changes(proposal: Proposal) -> list[str]:
    """Return what would be changed and what would become of it."""
    if not proposal.targets:
        return []
    lines = ["", "## What changes", "", became_of(proposal), ""]
    lines += [f"- `{each.id}` {each.evidence}" for each in proposal.targets]
    for number, part in enumerate(proposal.parts, start=1):
        lines += ["", f"{number}. {part.rule or '(no wording yet)'} — {counted(len(part.instances), 'lesson')}"]
    return lines


def _instance(instance: Instance) -> dict[str, Any]:
    return {"id": instance.id, "external_id": instance.external_id, "project": instance.project}
