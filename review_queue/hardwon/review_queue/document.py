"""One proposal as one Markdown document, for people to read and edit.

The quoted text under the first heading is the person's to change; the text under "Notes" is theirs altogether.
Everything else is written anew from the record at the end, a comment that holds the whole proposal as JSON, so that
nothing has to be guessed back from prose. A document in doubt (no record, another id, a conflict of two versions) is
never a decision: it is reported and left alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from pydantic import ValidationError

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.proposal import Instance, Proposal

FORMAT = 1

_RECORD = re.compile(r"^<!-- hardwon:proposal ([1-9][0-9]*)\n(.*?)\n-->\s*$", re.DOTALL | re.MULTILINE)
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
"""Git's marks of two versions; a line of equals signs alone underlines a heading in a person's notes."""
_HEADING = "# Proposed rule"
_NOTES = "## Notes"
_NO_WORDING = "(no wording yet: write the rule here)"


@dataclass(frozen=True)
class Sheet:
    """A document as read: the proposal with the person's edit taken in, and their notes."""

    proposal: Proposal
    notes: str


def render(proposal: Proposal, references: dict[str, str], notes: str = "") -> str:
    """Return the document. `references` maps a lesson's id to the target of a wikilink to it."""
    sections = [
        _front_matter(proposal),
        f"{_HEADING}\n\n{_quoted(proposal.rule or _NO_WORDING)}",
        _how_to_decide(proposal),
        *_translations(proposal),
        *_situation(proposal),
        f"## Why\n\n{_why(proposal)}",
        _confidence(proposal),
        _instances(f"## Lessons ({_count(proposal)})", proposal.instances, references),
        _instances("## What speaks against it", proposal.against, references),
        f"{_NOTES}\n\n{notes.strip()}".rstrip(),
        _record(proposal),
    ]
    return "\n\n".join(sections) + "\n"


def parse(text: str, name: str, id: str) -> Sheet:
    """Read a document back. Raises UnreadableFile that says why it is left alone."""
    text = _lines_ended_alike(text.removeprefix("\ufeff"))
    records = list(_RECORD.finditer(text))
    if len(records) != 1:
        raise UnreadableFile(name, "its record at the end is " + ("missing" if not records else "there twice"))
    body = text[: records[0].start()]
    if _CONFLICT.search(body):
        raise UnreadableFile(name, "two versions of it are in conflict")
    proposal = _proposal(records[0], name)
    if proposal.id != id:
        raise UnreadableFile(name, f"its record is of proposal {proposal.id}")
    words = _words(body, name)
    if words != _lines_ended_alike(proposal.rule):
        proposal = proposal.reworded(words)
    _, _, notes = body.partition(f"\n{_NOTES}\n")
    return Sheet(proposal, notes.strip())


def _proposal(record: re.Match[str], name: str) -> Proposal:
    if int(record[1]) > FORMAT:
        raise UnreadableFile(name, f"it has format {record[1]} and this hardwon knows {FORMAT}")
    try:
        return Proposal.model_validate_json(record[2])
    except ValidationError as error:
        raise UnreadableFile(name, f"its record is damaged: {error.errors()[0]['msg']}") from None


def _words(body: str, name: str) -> str:
    """Return the rule under the first heading: all of a quotation, or of a text without its marks."""
    _, found, rest = body.partition(f"\n{_HEADING}\n")
    if not found:
        raise UnreadableFile(name, f"its heading “{_HEADING}” is gone")
    section = rest.partition("\n## ")[0].strip()
    paragraphs = re.split(r"\n[ \t]*\n", section)
    quoted = [paragraph for paragraph in paragraphs if paragraph.startswith(">")]
    if quoted and len(quoted) < len(paragraphs):
        raise UnreadableFile(name, f"text stands beside the quoted rule; move it into it or below “{_NOTES}”")
    words = re.sub(r"^> ?", "", section, flags=re.MULTILINE) if quoted else section
    return "" if words == _NO_WORDING else words


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
    return (
        "## How to decide\n\n"
        f"Suggested: **{proposal.suggested_action}**. Change the quoted text above to your own words if you like.\n\n"
        f"- `hardwon review accept {proposal.id}`\n"
        f'- `hardwon review rewrite {proposal.id} "your words"`\n'
        f'- `hardwon review reject {proposal.id} --why "your reason"`'
    )


def _translations(proposal: Proposal) -> list[str]:
    others = {code: words for code, words in proposal.translations.items() if words != proposal.rule}
    if not others:
        return []
    return ["## In other languages\n\n" + "\n".join(f"- {code}: {_line(words)}" for code, words in others.items())]


def _situation(proposal: Proposal) -> list[str]:
    lines = [f"- {_line(line)}" for line in proposal.situation.splitlines() if line.strip()]
    return ["## When it applies\n\n" + "\n".join(lines)] if lines else []


def _why(proposal: Proposal) -> str:
    return "\n\n".join(filter(None, [_inert(proposal.rationale) or "No reason was given.", _line(proposal.worded)]))


def _confidence(proposal: Proposal) -> str:
    rows = [f"| {_line(name)} | {value:.2f} |" for name, value in proposal.confidence_parts.items()]
    table = "\n".join(["| part | value |", "| --- | --- |", *rows]) if rows else "It has no parts."
    return f"## Confidence {proposal.confidence:.2f}\n\n{table}"


def _count(proposal: Proposal) -> str:
    return f"{len(proposal.instances)} of {len(proposal.projects)} projects"


def _instances(heading: str, instances: tuple[Instance, ...], references: dict[str, str]) -> str:
    if not instances:
        return f"{heading}\n\nNothing so far."
    lines = [heading]
    for project in dict.fromkeys(each.project for each in instances):
        lines.append(f"\n### {_line(project or 'everywhere')}\n")
        for each in instances:
            if each.project == project:
                lines.append(f"- [[{references.get(each.id, each.id)}]] {_line(each.evidence)}")
    return "\n".join(lines)


def _record(proposal: Proposal) -> str:
    # An HTML comment ends at the first "-->", wherever that stands.
    data = proposal.model_dump_json().replace(">", "\\u003e")
    return f"<!-- hardwon:proposal {FORMAT}\n{data}\n-->"


def _lines_ended_alike(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _line(text: str) -> str:
    """Fold a text into one line in which nothing is taken for Markdown's or our own syntax."""
    return " ".join(_inert(text).split()).replace("|", "\\|")


def _inert(text: str) -> str:
    """Keep a text from opening a heading or a comment of its own."""
    return re.sub(r"^(\s*)(#|---|<!--)", r"\1\\\2", text.replace("<!--", "<\\!--"), flags=re.MULTILINE)
