"""One proposal as one Markdown document, for people to read and edit.

The quoted text under the first heading is the person's to change, the lines of its lessons to remove, where it holds to
rewrite (edits.py); the text under "Notes" is theirs altogether. Everything else is written anew from the record at the
end, a comment that holds the whole proposal as JSON, so that nothing has to be guessed back from prose. A document in
doubt (no record, another id, a conflict of two versions) is never a decision: it is reported and left alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pydantic import ValidationError

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.proposal import Proposal, ProposalKind
from hardwon.review_queue.edits import taken_in
from hardwon.review_queue.markdown import inert, line, lines_ended_alike, quoted
from hardwon.review_queue.sections import (
    AGAINST,
    LESSONS,
    NO_WORDING,
    NOTES,
    heading_of,
    instances,
    parts_of,
    what_changes,
    where_it_holds,
)
from hardwon.review_queue.sheets import Sheet

if TYPE_CHECKING:
    from hardwon.kernel.ports import Storage

FORMAT = 1

_RECORD = re.compile(r"^<!-- hardwon:proposal ([1-9][0-9]*)\n(.*?)\n-->\s*$", re.DOTALL | re.MULTILINE)
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
"""Git's marks of two versions; a line of equals signs alone underlines a heading in a person's notes."""


def render(proposal: Proposal, references: dict[str, str], notes: str = "") -> str:
    """Return the document. `references` maps a lesson's id to the target of a wikilink to it."""
    sections = [
        _front_matter(proposal),
        f"{heading_of(proposal)}\n\n{quoted(proposal.rule or NO_WORDING)}",
        _how_to_decide(proposal),
        *_translations(proposal),
        *_situation(proposal),
        *where_it_holds(proposal),
        f"## Why\n\n{_why(proposal)}",
        *what_changes(proposal, references),
        _confidence(proposal),
        *parts_of(proposal, references),
        *([] if proposal.parts else [instances(f"{LESSONS} ({_count(proposal)})", proposal.instances, references)]),
        instances(AGAINST, proposal.against, references),
        f"{NOTES}\n\n{notes.strip()}".rstrip(),
        _record(proposal),
    ]
    return "\n\n".join(sections) + "\n"


def references_of(storage: Storage, proposal: Proposal) -> dict[str, str]:
    """Return, for each memory that a proposal names, how the store has documents point at it."""
    named = (*proposal.instances, *proposal.against, *proposal.targets)
    return {each.id: storage.reference(each.id) for each in named}


def parse(text: str, name: str, id: str) -> Sheet:
    """Read a document back. Raises UnreadableFile that says why it is left alone."""
    text = lines_ended_alike(text.removeprefix("\ufeff"))
    records = list(_RECORD.finditer(text))
    if len(records) != 1:
        raise UnreadableFile(name, "its record at the end is " + ("missing" if not records else "there twice"))
    body = text[: records[0].start()]
    if _CONFLICT.search(body):
        raise UnreadableFile(name, "two versions of it are in conflict")
    proposal = _proposal(records[0], name)
    if proposal.id != id:
        raise UnreadableFile(name, f"its record is of proposal {proposal.id}")
    body, _, notes = body.partition(f"\n{NOTES}\n")
    return Sheet(taken_in(proposal, body, name), notes.strip())


def _proposal(record: re.Match[str], name: str) -> Proposal:
    if int(record[1]) > FORMAT:
        raise UnreadableFile(name, f"it has format {record[1]} and this hardwon knows {FORMAT}")
    try:
        return Proposal.model_validate_json(record[2])
    except ValidationError as error:
        raise UnreadableFile(name, f"its record is damaged: {error.errors()[0]['msg']}") from None


def _front_matter(proposal: Proposal) -> str:
    lines = [
        "---",
        f"id: {json.dumps(proposal.id)}",
        f"kind: {proposal.kind}",
        f"state: {proposal.state}",
        f"confidence: {proposal.confidence:.2f}",
        f"suggested_action: {proposal.suggested_action}",
        f"topic: {json.dumps(proposal.topic, ensure_ascii=False)}",
        f"created_at: {json.dumps(proposal.created_at.isoformat())}",
        "---",
    ]
    return "\n".join(lines)


def _how_to_decide(proposal: Proposal) -> str:
    own_words = {
        ProposalKind.RETIRE: "Nothing is to be written for it.",
        ProposalKind.SPLIT: "Change the quoted texts of the parts below to your own words if you like.",
    }
    lines = [
        "## How to decide",
        "",
        f"Suggested: **{proposal.suggested_action}**. "
        + own_words.get(proposal.kind, "Change the quoted text above to your own words if you like."),
        "Remove the line of a lesson that belongs to another cause.",
        "",
        f"- `hardwon review accept {proposal.id}`",
        *([] if proposal.kind in own_words else [f'- `hardwon review rewrite {proposal.id} "your words"`']),
        f'- `hardwon review reject {proposal.id} --why "your reason"`',
    ]
    return "\n".join(lines)


def _translations(proposal: Proposal) -> list[str]:
    others = {code: words for code, words in proposal.translations.items() if words != proposal.rule}
    if not others:
        return []
    return ["## In other languages\n\n" + "\n".join(f"- {code}: {line(words)}" for code, words in others.items())]


def _situation(proposal: Proposal) -> list[str]:
    lines = [f"- {line(each)}" for each in proposal.situation.splitlines() if each.strip()]
    return ["## When it applies\n\n" + "\n".join(lines)] if lines else []


def _why(proposal: Proposal) -> str:
    return "\n\n".join(filter(None, [inert(proposal.rationale) or "No reason was given.", line(proposal.worded)]))


def _confidence(proposal: Proposal) -> str:
    rows = [f"| {line(name)} | {value:.2f} |" for name, value in proposal.confidence_parts.items()]
    table = "\n".join(["| part | value |", "| --- | --- |", *rows]) if rows else "It has no parts."
    return f"## Confidence {proposal.confidence:.2f}\n\n{table}"


def _count(proposal: Proposal) -> str:
    return f"{len(proposal.instances)} of {len(proposal.projects)} projects"


def _record(proposal: Proposal) -> str:
    # An HTML comment ends at the first "-->", wherever that stands.
    data = proposal.model_dump_json().replace(">", "\\u003e")
    return f"<!-- hardwon:proposal {FORMAT}\n{data}\n-->"
