"""What a person asks in a prompt, apart from what their agent put into it and what they pasted.

An agent adds reminders, the selection in an editor, our own words; a person pastes two hundred lines of a log under one
question. What counts is the question; of the paste, each sort of line once, and those that name an error first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hardwon.kernel.injection import without_ours

SHORT = 600
"""Characters up to which a prompt is taken as it is: nobody pastes a log into that."""
OWN_WORDS = 4_000
MOST_OPEN = 50
"""Names of tags that are never closed, after which no more are looked at: this is no harness's text."""
PASTED = 3_000
"""Characters that are left of each part at most."""
_OF_AN_AGENT = re.compile(r"<([a-z][a-z0-9]*[-_:][\w:.-]*|[A-Z][A-Z_]{2,})(?:\s[^<>]*)?>")
"""Tags as harnesses use them; those of HTML and of templates have neither a hyphen nor capitals alone."""
LONGEST = 200_000
"""Characters of a prompt that are looked at: its beginning and its end."""
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PASTED_LINE = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b|Traceback |"
    r"File \"|at [\w$.<>]+[ (]|>>> |\$ |[+-]{3} |@@ |\w+(?:Error|Exception)\b:|\| |#\d+ )|(?:\t| {4,})\S"
)
_NAMES_AN_ERROR = re.compile(
    r"error|exception|fail|fatal|panic|denied|refused|cannot|timed? ?out|错误|失败|异常", re.IGNORECASE
)
_FIGURES = re.compile(r"[\d\W_]+")


def asked(prompt: str) -> tuple[str, str]:
    """Return a person's own words and what they pasted, both condensed; the second is empty for most prompts."""
    text = _typed(without_ours(_ends(prompt, LONGEST))).strip()
    if len(text) <= SHORT:
        return text, ""
    own: list[str] = []
    pasted: list[str] = []
    for line, is_pasted in _lines(text):
        (pasted if is_pasted else own).append(line)
    words = _ends("\n".join(own).strip(), OWN_WORDS)
    rest = _condensed(pasted)
    return (words, rest) if words else (rest, "")


def _typed(text: str) -> str:
    """Return a text without what an agent put into it between tags; one that is not closed is text."""
    kept: list[str] = []
    start = 0
    open_for_ever: set[str] = set()
    for tag in _OF_AN_AGENT.finditer(text):
        if tag.start() < start or tag[1] in open_for_ever or len(open_for_ever) > MOST_OPEN:
            continue
        end = text.find(f"</{tag[1]}>", tag.end())
        if end < 0:
            open_for_ever.add(tag[1])
            continue
        kept += (text[start : tag.start()], " ")
        start = end + len(tag[1]) + 3
    return "".join((*kept, text[start:]))


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Walk the lines, and whether each was pasted."""
    is_fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif line.strip():
            yield line, is_fenced or _PASTED_LINE.match(line) is not None


def _condensed(lines: Iterable[str]) -> str:
    """Return each sort of line once, those that name an error first: two lines of a sort differ in figures alone."""
    sorts = {_FIGURES.sub(" ", line): line.strip() for line in lines}
    ordered = sorted(sorts.values(), key=lambda line: _NAMES_AN_ERROR.search(line) is None)
    return "\n".join(ordered)[:PASTED]


def _ends(text: str, most: int) -> str:
    """Return the beginning and the end of what is longer: people ask before or after what they tell."""
    return text if len(text) <= most else f"{text[: most // 2]}\n{text[-most // 2 :]}"
