"""Links between memories as people read them: wikilinks in a text, and the block of links below it.

The source's front matter is the truth for an edge. The block shows the standing edges of a memory from its own end,
in both files, between two comments; it is written anew when they change, and the rest of the file is never touched.
A `[[wikilink]]` that a person writes into the text itself is a `relates_to` edge for as long as it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

START = "<!-- hardwon:links (generated from the relations; what is changed here is written over) -->"
END = "<!-- /hardwon:links -->"

_BLOCK = re.compile(
    r"(?:(?<=\n)\n|\A)?<!-- hardwon:links[^\n]*-->\n(?:(?!<!-- /hardwon:links).)*?<!-- /hardwon:links -->(?:\n|\Z)",
    re.DOTALL,
)
_CODE = re.compile(r"(?:^|\n) {0,3}(```+|~~~+).*?(?:\n {0,3}\1|\Z)|(`+)(?!`).+?(?<!`)\2(?!`)", re.DOTALL)
_WIKILINK = re.compile(r"(!?)\[\[(?! )([^\[\]|#^\n]{1,200}?)(?:[#^][^\[\]|\n]*)?(?:\|[^\[\]\n]*)?(?<! )\]\]")
_HEADINGS = {
    "generalizes": "Lessons",
    "applies_to": "Rules",
    "supersedes": "Supersedes",
    "superseded_by": "Superseded by",
    "contradicts": "Contradicts",
    "relates_to": "See also",
    "derived_from": "Derived from",
    "source_of": "Source of",
}
"""What is written above the edges of each name, in the order of the block."""


def text_of(body: str) -> str:
    """Return the content of a memory: its body without the block of links and without the last line end."""
    if "<!-- hardwon:links" in body:
        body = _BLOCK.sub("", body, count=1)
    return body.removesuffix("\n")


def without_block(content: str) -> str:
    """Return a text without a block of links, which is never part of what is remembered."""
    return _BLOCK.sub("", content) if "<!-- hardwon:links" in content else content


def body_of(content: str, block: str = "") -> str:
    """Return the body of a file that holds this content."""
    return f"{content}\n\n{block}" if block else f"{content}\n"


def block_of(body: str) -> str:
    """Return the block of links that a body holds; empty for none."""
    found = _BLOCK.search(body) if "<!-- hardwon:links" in body else None
    return found[0].lstrip("\n") if found else ""


def with_block(body: str, block: str) -> str:
    """Return the body with another block of links, or none, and everything else as it was."""
    found = _BLOCK.search(body) if "<!-- hardwon:links" in body else None
    if found:
        lead = "\n" if found[0].startswith("\n") else ""
        return body[: found.start()] + (lead + block if block else "") + body[found.end() :]
    if not block:
        return body
    return f"{body}\n{block}" if body.endswith("\n") else f"{body}\n\n{block}"


def render_block(edges: Sequence[tuple[str, str, str]]) -> str:
    """Return a block of links: edges as (name from this end, file stem, title), in a stable order."""
    if not edges:
        return ""
    lines = [START]
    for name, heading in _HEADINGS.items():
        found = sorted({(stem, title) for each, stem, title in edges if each == name})
        if found:
            lines += [f"## {heading}", *(f"- [[{stem}|{label(title)}]]" for stem, title in found)]
    return "\n".join([*lines, END, ""])


def label(title: str) -> str:
    """Return a title that does not end the link it stands in."""
    return re.sub(r"[\[\]|\s]+", " ", title).strip() or "untitled"


def wikilinks(content: str) -> list[str]:
    """Return the names that a text links to, without folder and `.md`, each once; code and embedded files are none."""
    if "[[" not in content:
        return []
    found = _WIKILINK.findall(_CODE.sub(" ", content))
    names = (name.strip().replace("\\", "/").rsplit("/", 1)[-1] for embedded, name in found if not embedded)
    return list(dict.fromkeys(name.removesuffix(".md") for name in names if name))
