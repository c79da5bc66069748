"""What hardwon says to an agent: the one place that renders it, and that knows it again.

Every block stands between two lines that no memory can contain, so that capture never learns from what recall showed.
For an unchanged state it is the same byte for byte, since providers cache prompts: dates and no ages, a stable order,
what varies last. A memory is data: what a harness or a model gives meaning to is made harmless, and invisible
characters hide nothing. No pydantic: the hook program renders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.kernel.injection_words import ENGLISH, WORDS, Words
from hardwon.kernel.ranking import tokens_of

MARKER = "=== hardwon memory ==="
"""The first line of every block of ours."""
END = "=== end of hardwon memory ==="
LIMIT = 9_000
"""Characters of a block: Claude Code cuts at 10,000, Codex at some 10,000."""
TOKENS_BESIDE = 25
"""What is said of each memory beside its content takes about so many tokens."""
SHORT_ID = 8
"""Characters at the end of an id, by which every command finds the memory."""

_TERMINAL_CODES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]|"
    "(?<![\u0590-\u180d\u180f-\u1fff\u2190-\u2bff\u2e80-\ud7ff\uf900-\ufdff\ufe70-\ufefc\U00010000-\U0003ffff])"
    "[\u200b-\u200d\ufe00-\ufe0f]"
)
"""What nobody sees. Joiners and variants are left where they belong to a script or a picture, one after each character:
between Latin letters, or in rows, they hide words from a reader or carry some."""
_TAGS = re.compile(
    r"<(?=[/!|?]|[A-Z_]{3,}[\s>]|[A-Za-z]\w*[-_:]|(?i:system|user|assistant|human|developer|tool|instructions?|context|"
    r"memory|memories|reminder|important|think|thinking|invoke|parameter|results?|prompt|examples?|documents?)\b)"
)
"""Where a tag begins that some harness or model takes for more than text; `List<int>` and `<div>` are none."""
_RULERS = re.compile(r"(?<!=)={2,}+(?=[ \t]*(?:end of )?hardwon)", re.IGNORECASE)
_BEGINNING = re.compile(
    r"(?:<(?P<tag>[A-Za-z][\w:.-]*)[^<>]*>\s*)?(?:\w+(?::[\w-]+)? hook (?:additional context|success):\s*)?"
    r"=== hardwon memory ==="
)
"""How a block begins, with the tag that a harness put around it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One memory as it is shown."""

    id: str
    kind: str
    content: str
    project: str | None
    """None: it holds everywhere."""
    day: str
    """On which it was learned, or became true: 2026-11-29."""
    said_by: str = "user"
    is_hard: bool = False
    of: str | None = None
    """The memory that brought it: of a lesson its rule, of a rule its lesson."""
    against: str | None = None
    """A memory shown before it, which it speaks against."""
    in_conflict: bool = False
    """Another memory says what cannot hold beside it, and the user has not settled that yet."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A block, and the memories in it."""

    text: str
    """Empty where there is nothing to say."""
    ids: tuple[str, ...] = ()


def render(
    memories: Sequence[Shown],
    *,
    language: str = ENGLISH,
    project: Sequence[str] = (),
    guidance: Sequence[str] = (),
    pending: int = 0,
    limit: int = LIMIT,
) -> Rendered:
    """Return the block that shows memories, whole ones only, as many as the limit of characters lets in.

    `project` are the names of the reader's project, `guidance` the lines on how to use the memory, `pending` is the
    number of proposals that await review.
    """
    words = _words(language)
    lines = [MARKER, words.head, *guidance]
    last = [*([words.pending.format(pending)] if pending else []), END]
    left = limit - sum(len(line) + 1 for line in (*lines, *last))
    shown: list[str] = []
    for memory in memories:
        if len(memory.content) > left:
            continue
        line = _line(memory, language, project)
        if len(line) + 1 <= left:
            left -= len(line) + 1
            lines.append(line)
            shown.append(memory.id)
    if not (shown or guidance or pending) or left < 0:
        return Rendered("")
    return Rendered("\n".join((*lines, *last)), tuple(shown))


def tokens_of_frame(language: str, guidance: Sequence[str] = ()) -> int:
    """Return about how many tokens a block takes beside its memories."""
    return tokens_of("\n".join((MARKER, _words(language).head, *guidance, END)))


def guidance_of(language: str, *, has_tools: bool) -> tuple[str, ...]:
    """Return the lines on how to use the memory; `has_tools`: our tools are there, and tell when to save and judge."""
    lines = _words(language).guidance
    return lines[:1] if has_tools else lines


def _words(language: str) -> Words:
    return WORDS.get(language, WORDS[ENGLISH])


def _line(memory: Shown, language: str, project: Sequence[str]) -> str:
    """Return a memory with what is known of it; the lines of its content are indented, so that none looks like ours."""
    words = _words(language)
    place = words.everywhere if memory.project is None else words.here if memory.project in project else memory.project
    known = [
        words.kinds.get(memory.kind, memory.kind),
        place,
        memory.day,
        words.sources.get(memory.said_by, memory.said_by),
        *([words.hard] if memory.is_hard else []),
        *([words.conflict] if memory.in_conflict else []),
        *([words.belongs_to.format(short_id(memory.of))] if memory.of and memory.of != memory.against else []),
        *([words.against.format(short_id(memory.against))] if memory.against else []),
    ]
    content = "\n  ".join(harmless(memory.content).strip().splitlines())
    return f"- [{short_id(memory.id)}] ({harmless(words.comma.join(known))}) {content}"


def short_id(id: str) -> str:
    """Return the part of an id that is enough to name the memory."""
    return id[-SHORT_ID:]


def harmless(text: str) -> str:
    """Return a text in which nothing is hidden, and nothing is a tag of a harness or a border of ours."""
    text = _INVISIBLE.sub("", _TERMINAL_CODES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return _RULERS.sub("--", _TAGS.sub("‹", text))


def is_ours(text: str) -> bool:
    """Tell whether hardwon's own words stand in a text."""
    return MARKER in text


def without_ours(text: str) -> str:
    """Return a text without what hardwon said in it, and without the tags that a harness put around that alone."""
    if not is_ours(text):
        return text
    kept: list[str] = []
    start = 0
    while found := _BEGINNING.search(text, start):
        kept.append(text[start : found.start()])
        start = _end_of_block(text, found.end(), found["tag"])
    return "".join((*kept, text[start:])).strip()


def _end_of_block(text: str, start: int, tag: str | None) -> int:
    """Return where a block ends: with the tag around it, which no memory can contain, else by itself.

    One that was cut off reaches to the end of the text.
    """
    for end in (f"</{tag}>", END) if tag else (END,):
        place = text.find(end, start)
        if place >= 0:
            return place + len(end)
    return len(text)
