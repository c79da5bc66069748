"""What a person changed in a proposal's document, taken into the proposal.

Their words under the first heading and under each part's, the lessons whose lines they removed or moved to another
part, and where it is to hold. What is in doubt makes the whole document unreadable; nothing is guessed.
"""

from __future__ import annotations

import re
from typing import Any

from hardwon.kernel.errors import HardwonError, UnreadableFile
from hardwon.kernel.proposal import Part, Proposal
from hardwon.kernel.scope import AppliesWhen, Scope
from hardwon.review_queue.markdown import lines_ended_alike
from hardwon.review_queue.sections import (
    AGAINST,
    LESSONS,
    LISTS,
    NO_WORDING,
    NOTES,
    PART,
    PLACED,
    WHERE,
    heading_of,
)

_MARK = re.compile(r"\^(\S+)[ \t]*$", re.MULTILINE)
"""The end of a lesson's line, which says which lesson it is."""


def taken_in(proposal: Proposal, body: str, name: str) -> Proposal:
    """Return the proposal with the person's changes. Raises UnreadableFile."""
    words = _words(body, heading_of(proposal), name)
    if words.rstrip() != lines_ended_alike(proposal.rule).rstrip():  # a document does not keep spaces at the end
        proposal = proposal.reworded(words)
    if proposal.kind in PLACED and (section := _section(body, WHERE)) is not None:
        scope = _scope(section, proposal, name)
        proposal = proposal.changed_by_hand(scope=scope) if scope != proposal.scope else proposal
    if proposal.parts:
        parts = _parts(body, proposal, name)
        proposal = proposal.changed_by_hand(parts=parts) if parts != proposal.parts else proposal
    return _without_removed(body, proposal)


def _section(body: str, heading: str) -> str | None:
    """Return what stands below a heading, whatever follows it on its line; None where it is gone."""
    found = re.search(rf"^{re.escape(heading)}(?: .*)?$", body, re.MULTILINE)
    return None if found is None else re.split(r"^## ", body[found.end() :], maxsplit=1, flags=re.MULTILINE)[0]


def _words(body: str, heading: str, name: str) -> str:
    """Return the rule under the first heading: all of a quotation, or of a text without its marks."""
    _, found, rest = body.partition(f"\n{heading}\n")
    if not found:
        raise UnreadableFile(name, f"its heading “{heading}” is gone")
    return _unquoted(rest.partition("\n## ")[0], name)


def _unquoted(section: str, name: str) -> str:
    section = section.strip()
    paragraphs = re.split(r"\n[ \t]*\n", section)
    marked = [paragraph for paragraph in paragraphs if paragraph.startswith(">")]
    if marked and len(marked) < len(paragraphs):
        raise UnreadableFile(name, f"text stands beside the quoted rule; move it into it or below “{NOTES}”")
    words = re.sub(r"^> ?", "", section, flags=re.MULTILINE) if marked else section
    return "" if words == NO_WORDING else words


def _scope(section: str, proposal: Proposal, name: str) -> Scope:
    """Return where the rule is to hold, as the lines say it. Raises UnreadableFile for a line that says nothing."""
    scope, lists = Scope(namespace=proposal.scope.namespace), {}
    for item in filter(None, (each.strip() for each in section.splitlines())):
        key, colon, value = item.removeprefix("- ").partition(":")
        key = key.strip().casefold()
        if not colon or key not in ("scope", *LISTS):
            raise UnreadableFile(name, f"“{item[:40]}” does not say where it holds; write `- languages: python`")
        try:
            if key == "scope":
                scope = Scope.parse(value.strip(), proposal.scope.namespace)
        except HardwonError as error:
            raise UnreadableFile(name, str(error).rstrip(".")) from None
        if key in LISTS:
            lists[key] = tuple(each for part in value.split(",") if (each := part.strip()))
    return scope.model_copy(update={"agent": proposal.scope.agent, "applies_when": AppliesWhen(**lists)})


def _parts(body: str, proposal: Proposal, name: str) -> tuple[Part, ...]:
    """Return the parts as they are written now: their words, and which lessons stand below each."""
    known = {each.id for each in proposal.instances}
    parts = []
    for number, part in enumerate(proposal.parts, start=1):
        section = _section(body, f"{PART} {number}")
        if section is None:
            raise UnreadableFile(name, f"its heading “{PART} {number}” is gone")
        text = "\n".join(each for each in section.splitlines() if not each.startswith("- "))
        changes: dict[str, Any] = {"rule": _unquoted(text, name)}
        if changes["rule"] != part.rule:
            changes["translations"] = {}
        ids = tuple(id for id in _MARK.findall(section) if id in known)
        parts.append(part.model_copy(update=changes | {"instances": ids}))
    return tuple(parts)


def _without_removed(body: str, proposal: Proposal) -> Proposal:
    """Return the proposal without the lessons whose lines are gone; a document without any mark is of an older form."""
    headings = [f"{PART} {number}" for number, _ in enumerate(proposal.parts, start=1)] or [LESSONS]
    present = {id for heading in headings for id in _MARK.findall(_section(body, heading) or "")}
    objecting = set(_MARK.findall(_section(body, AGAINST) or ""))
    gone: list[str] = []
    for some, marks in ((proposal.instances, present), (proposal.against, objecting)):
        if marks:
            gone += [each.id for each in some if each.id not in marks]
    return proposal.leaving_out(gone) if gone else proposal
