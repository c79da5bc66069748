"""A turn as a block of a day's file: a heading for people, what it is as JSON in a comment, and who said what.

    ## 09:30, claude-code, github.com/acme/shop, main ^t4k9x7d2m3q

    <!-- turn {"v": 1, "harness": "claude-code", "session": "…", "turn": "…", "at": "…", "messages": "3k9x7d …"} -->

    **user**

    > Why is the build red?

Every line of what was said begins with `>` or `-`, so that no words end a block or begin one. What a person writes
between belongs to the block above it, and stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from hardwon.kernel.clock import parse_time
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.journal import Block, Known

FORMAT_VERSION = 1
_TURN = re.compile(rb"^<!-- turn (\{.*\}) -->[ \t\r]*$", re.MULTILINE)
_HEADING = re.compile(rb"^## .*$", re.MULTILINE)
_NEEDED = ("harness", "session", "turn", "at")
"""What a comment says in any case."""
_RETRACTED = "*Taken back.*"


@dataclass(frozen=True, slots=True)
class Placed:
    """A block in the bytes of a file."""

    known: Known
    start: int
    end: int
    newer: bool = False
    """It has a format that this program does not know."""


def head_of_day(day: str) -> bytes:
    """Return how the file of a day begins."""
    return f"# {day}\n".encode()


def anchor_of(block: Block) -> str:
    """Return what a link to a block ends in."""
    return "t" + fingerprint(block.harness, block.session, block.turn, block.at.isoformat(), length=10)


def write_block(known: Known) -> bytes:
    """Return a block as it stands in a file, a blank line before it."""
    block = known.block
    moment = block.at.astimezone(UTC)
    names = (f"{moment:%H:%M}", block.harness, block.project, block.branch)
    title = ", ".join(" ".join(name.split()) for name in names if name)
    said = _RETRACTED if block.retracted_at else block.said
    return f"\n## {title} ^{anchor_of(block)}\n\n<!-- turn {_json(known)} -->\n\n{said}\n".encode("utf-8", "replace")


def safe(said: str) -> str:
    """Return words of another journal so that none of them ends a block or begins one."""
    lines = said.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(f"> {line}" if line.startswith(("## ", "<!-- turn ")) else line for line in lines).strip()


def _json(known: Known) -> str:
    block = known.block
    values = {
        "v": FORMAT_VERSION,
        "harness": block.harness,
        "session": block.session,
        "turn": block.turn,
        "at": block.at.isoformat(),
        "project": block.project,
        "branch": block.branch,
        "taken_by": block.taken_by,
        "retracted_at": block.retracted_at.isoformat() if block.retracted_at else None,
        "copy": known.copy,
        "messages": " ".join(sorted(known.messages)),
    }
    kept = {name: value for name, value in values.items() if value or name in _NEEDED}
    return json.dumps(kept, ensure_ascii=False).replace(">", "\\u003e")


def read_blocks(data: bytes, path: str) -> list[Placed]:
    """Return the blocks of a file, in order; a comment that is none of ours, or was spoilt, is a person's text."""
    found = [(match, values) for match in _TURN.finditer(data) if (values := _values(match[1])) is not None]
    starts = [_start(data, match.start()) for match, _ in found]
    ends = [*starts, len(data)][1:]
    result = []
    for (match, values), start, next_start in zip(found, starts, ends, strict=True):
        heading = _HEADING.search(data, match.end(), next_start)
        end = heading.start() if heading else next_start
        said = data[match.end() : end].decode("utf-8", "replace").replace("\r\n", "\n").strip()
        known = _known(values, said, path)
        if known is not None:
            result.append(Placed(known, start, end, newer=values.get("v", 0) > FORMAT_VERSION))
    return result


def _start(data: bytes, comment: int) -> int:
    """Return where the heading above a comment begins; the comment itself where a person took the heading out."""
    above = data[:comment].rstrip()
    line = above.rfind(b"\n") + 1
    return line if above[line:].startswith(b"## ") else comment


def _values(comment: bytes) -> Mapping[str, Any] | None:
    try:
        values = json.loads(comment)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or not all(isinstance(values.get(name), str) for name in _NEEDED):
        return None
    return values if isinstance(values.get("v"), int) else None


def _known(values: Mapping[str, Any], said: str, path: str) -> Known | None:
    try:
        at = parse_time(values["at"])
        retracted_at = parse_time(values["retracted_at"]) if values.get("retracted_at") else None
    except (InvalidInput, AttributeError):
        return None
    block = Block(
        harness=values["harness"],
        session=values["session"],
        turn=values["turn"],
        at=at,
        project=_text(values, "project") or None,
        branch=_text(values, "branch") or None,
        taken_by=_text(values, "taken_by"),
        retracted_at=retracted_at,
        said="" if retracted_at else said,
        place=path,
    )
    return Known(block, frozenset(_text(values, "messages").split()), _text(values, "copy"))


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
