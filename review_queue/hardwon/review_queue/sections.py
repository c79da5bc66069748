"""The sections of a proposal's document that tell what would change: before and after, the parts, where it holds."""

from __future__ import annotations

from collections.abc import Mapping

from hardwon.kernel.proposal import Instance, Proposal, ProposalKind
from hardwon.review_queue.markdown import line, quoted

HEADINGS: Mapping[ProposalKind, str] = {
    ProposalKind.RETIRE: "# Rule to retire",
    ProposalKind.SPLIT: "# Rule to split",
}
PROPOSED = "# Proposed rule"
"""The first heading of every other kind."""
LESSONS = "## Lessons"
AGAINST = "## What speaks against it"
WHERE = "## Where it holds"
CHANGES = "## What changes"
PART = "## Part"
NOTES = "## Notes"
NO_WORDING = "(no wording yet: write the rule here)"
PLACED = (ProposalKind.NEW_RULE, ProposalKind.NARROW)
"""The kinds that decide where a rule holds."""
LISTS = ("languages", "frameworks", "roles", "tags")


def heading_of(proposal: Proposal) -> str:
    """Return the first heading of a proposal's document."""
    return HEADINGS.get(proposal.kind, PROPOSED)


def where_it_holds(proposal: Proposal) -> list[str]:
    """Return the section that says where the rule would hold, for the person to change."""
    if proposal.kind not in PLACED:
        return []
    return [f"{WHERE}\n\n" + "\n".join(f"- {each}" for each in told_scope(proposal))]


def told_scope(proposal: Proposal) -> list[str]:
    """Return where a rule would hold, a line for each thing that narrows it."""
    scope = proposal.scope
    lists = {name: getattr(scope.applies_when, name) for name in LISTS}
    return [f"scope: {scope}", *(f"{name}: {', '.join(values)}" for name, values in lists.items() if values)]


def what_changes(proposal: Proposal, references: Mapping[str, str]) -> list[str]:
    """Return the section that shows what would be changed, as it stands, and what would become of it."""
    if not proposal.targets:
        return []
    lines = [CHANGES, "", f"{became_of(proposal)}", ""]
    lines += [_item(each, references) for each in proposal.targets]
    return ["\n".join(lines)]


def became_of(proposal: Proposal) -> str:
    """Return what accepting would do to what stands, in a sentence."""
    return {
        ProposalKind.REFINE: "The text above would take the place of this rule, which is kept as its earlier version:",
        ProposalKind.MERGE: "The rule above would take the place of these, which are kept as its earlier versions:",
        ProposalKind.SPLIT: f"{len(proposal.parts)} rules would take the place of this one, which is kept as theirs:",
        ProposalKind.NARROW: "This rule would hold only there; its words stay:",
        ProposalKind.RETIRE: "This rule would be shown no more and lie in the archive with its lessons:",
        ProposalKind.SETTLE: "These two are in conflict:",
    }.get(proposal.kind, "This would be changed:")


def parts_of(proposal: Proposal, references: Mapping[str, str]) -> list[str]:
    """Return a section for each part that a split would leave: its words, then its lessons."""
    known = {each.id: each for each in proposal.instances}
    sections = []
    for number, part in enumerate(proposal.parts, start=1):
        others = [f"- {code}: {line(words)}" for code, words in part.translations.items() if words != part.rule]
        lessons = [_item(known[id], references) for id in part.instances if id in known]
        told = [
            f"{PART} {number}",
            "",
            quoted(part.rule or NO_WORDING),
            "",
            *others,
            *([""] if others else []),
            *lessons,
        ]
        sections.append("\n".join(told).rstrip())
    return sections


def instances(heading: str, some: tuple[Instance, ...], references: Mapping[str, str]) -> str:
    """Return lessons by project, a line each."""
    if not some:
        return f"{heading}\n\nNothing so far."
    lines = [heading]
    for project in dict.fromkeys(each.project for each in some):
        lines.append(f"\n### {line(project or 'everywhere')}\n")
        lines += [_item(each, references) for each in some if each.project == project]
    return "\n".join(lines)


def _item(each: Instance, references: Mapping[str, str]) -> str:
    """Return a memory as a line that says at its end which one it is."""
    return f"- [[{references.get(each.id, each.id)}]] {line(each.evidence)} ^{each.id}"
