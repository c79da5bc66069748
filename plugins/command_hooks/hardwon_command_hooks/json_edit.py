"""Puts values into a JSON text and takes them out again, and leaves every other byte as it stands.

What is put in is written as the file is: its indentation, its line ends, one line where all stands on one line.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hardwon_command_hooks.json_text import SPACE, Member, Node, skip

_INDENTED = re.compile(r"\n([ \t]+)[\"\[{/]")


def put(text: str, container: Node, value: Any, key: str | None = None) -> str:
    """Return the text with a value behind the others of an object (under `key`) or list."""
    members = container.members or []
    if members and "\n" not in text[container.start : container.end]:
        return _put_in_line(text, members[-1], value, key)
    indentation = _indentation(text, container)
    item = _rendered(text, value, key, indentation)
    line_end = "\r\n" if "\r\n" in text else "\n"
    if not members:
        return _put_alone(text, container, line_end + indentation + item, line_end)
    last = members[-1]
    behind = _end_of_line_comment(text, last.node.end)
    if last.comma is not None:  # A trailing comma: ours gets one too, so that the file keeps its manner.
        behind = max(behind, _end_of_line_comment(text, last.comma + 1))
        return f"{text[:behind]}{line_end}{indentation}{item},{text[behind:]}"
    return f"{text[: last.node.end]},{text[last.node.end : behind]}{line_end}{indentation}{item}{text[behind:]}"


def replace(text: str, node: Node, value: Any) -> str:
    """Return the text with another value in the place of one."""
    line_start = text.rfind("\n", 0, node.start) + 1
    before = text[line_start : node.start]
    indentation = before[: len(before) - len(before.lstrip(" \t"))]
    in_line = "\n" not in text[node.start : node.end]
    rendered = _in_line(text, value) if in_line else _indented(text, value, indentation)
    return text[: node.start] + rendered + text[node.end :]


def take(text: str, container: Node, member: Member) -> str:
    """Return the text without one member of an object or list, and without the comma that it needed."""
    members = container.members or []
    place = members.index(member)
    start, end = member.start, member.node.end
    if place == 0 and member.comma is not None:
        end = skip(text, member.comma + 1, comments=False)
        return text[:start] + text[end if len(members) > 1 else member.comma + 1 :]
    while text[start - 1] in SPACE:
        start -= 1
    if place == 0:
        rest = text[container.start + 1 : start] + text[end : container.end - 1]
        kept = rest if rest.strip(SPACE) else ""
        return text[: container.start + 1] + kept + text[container.end - 1 :]
    comma = members[place - 1].comma
    assert comma is not None
    if member.comma is not None and place == len(members) - 1:
        return text[:start] + text[member.comma + 1 :]
    between = text[comma + 1 : start]
    if "//" in between and not text[end:].lstrip(" \t").startswith(("\r", "\n")):
        between += "\n"  # Else what follows would become part of that comment.
    return text[:comma] + between + text[end:]


def _put_in_line(text: str, last: Member, value: Any, key: str | None) -> str:
    """Put a value behind the last one of a container that stands on one line."""
    gap = " " if ", " in text or ": " in text else ""
    item = (json.dumps(key, ensure_ascii=False) + ":" + gap if key is not None else "") + _in_line(text, value)
    return f"{text[: last.node.end]},{gap}{item}{text[last.node.end :]}"


def _put_alone(text: str, container: Node, item: str, line_end: str) -> str:
    """Put the first value into an empty container; a comment that stands in it stays before the value."""
    close = container.end - 1
    inner = text[container.start + 1 : close].rstrip(SPACE)
    line = text[text.rfind("\n", 0, container.start) + 1 : container.start]
    closing = line_end + line[: len(line) - len(line.lstrip(" \t"))]
    return f"{text[: container.start + 1]}{inner}{item}{closing}{text[close:]}"


def _end_of_line_comment(text: str, place: int) -> int:
    """Return the end of the comments that begin on the line of `place` and stand behind it; else `place`."""
    end = place
    while True:
        begin = end
        while text[begin : begin + 1] in (" ", "\t"):
            begin += 1
        if not text.startswith(("//", "/*"), begin):
            return end
        is_line = text.startswith("//", begin)
        found = text.find("\n" if is_line else "*/", begin)
        end = len(text) if found < 0 else found + (0 if is_line else 2)
        if is_line:
            return end - text[:end].endswith("\r")


def _indentation(text: str, container: Node) -> str:
    """Return what stands before a value of a container on its line."""
    for member in container.members or []:
        before = text[text.rfind("\n", 0, member.start) + 1 : member.start]
        if not before.strip(" \t"):
            return before
    line = text[text.rfind("\n", 0, container.start) + 1 : container.start]
    return line[: len(line) - len(line.lstrip(" \t"))] + _unit(text)


def _unit(text: str) -> str:
    """Return one step of the file's indentation."""
    found = _INDENTED.search(text)
    return found[1] if found else "  "


def _rendered(text: str, value: Any, key: str | None, indentation: str) -> str:
    label = json.dumps(key, ensure_ascii=False) + ": " if key is not None else ""
    return label + _indented(text, value, indentation)


def _indented(text: str, value: Any, indentation: str) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (line_end + indentation).join(lines)


def _in_line(text: str, value: Any) -> str:
    gap = " " if ", " in text or ": " in text else ""
    return json.dumps(value, ensure_ascii=False, separators=("," + gap, ":" + gap))
