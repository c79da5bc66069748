"""What a text is kept as, by the one rule of all stores, so that a memory is the same in each of them.

Control characters but tab and line end, lone surrogates, U+FFFE and U+FFFF become spaces (`text.clean`): no text file
can hold them, and a database that could would give them to a terminal. A content has LF as its only line end.
Everything else, of every plane and in whatever normal form, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.text import clean
from hardwon.kernel.version import Version

SUSPECT = re.compile("\\\\u00[01][0-9a-f]|\\\\[bf]|[\x7f\ufffe\uffff]")
"""How control characters look in JSON."""
DEEPEST = 64
"""Levels of values within values in the metadata; what is much deeper can be written by no store, or not read back."""


def may_be_dirty(text: str) -> bool:
    """Tell whether there may be control characters in JSON; most has none of the characters that this would take."""
    return ("\\" in text or "\x7f" in text or not text.isascii()) and SUSPECT.search(text) is not None


def cleaned_entry(entry: MemoryEntry) -> MemoryEntry:
    """Return an entry as it is kept, mostly as it is. Raises InvalidInput where cleaning leaves none."""
    refuse_too_deep(entry.metadata)
    try:
        dirty = may_be_dirty(entry.model_dump_json())
    except ValueError:  # a lone surrogate has no bytes
        dirty = True
    if dirty:
        try:
            entry = MemoryEntry.model_validate(cleaned_values(entry.model_dump()))
        except ValidationError as error:
            raise InvalidInput(f"The memory {entry.id} cannot be kept as text ({error.errors()[0]['msg']}).") from None
    content = cleaned_content(entry.content)
    return entry if content == entry.content else entry.model_copy(update={"content": content})


def refuse_too_deep(metadata: Mapping[str, Any]) -> None:
    """Raise InvalidInput where values stand deeper in one another than DEEPEST."""
    level: list[Any] = [metadata]
    for _ in range(DEEPEST):
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            return
    raise InvalidInput(f"The field “metadata” cannot be taken (values stand more than {DEEPEST} deep); flatten it.")


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def cleaned_version(version: Version) -> Version:
    """Return a former state as it is kept. Raises InvalidInput where cleaning leaves none."""
    return version.model_copy(update={"entry": cleaned_entry(version.entry), "why": clean(version.why)})


def cleaned_content(content: str) -> str:
    """Return a content as it is kept."""
    return with_plain_line_ends(clean(content))


def with_plain_line_ends(text: str) -> str:
    """Return the text with LF as its only line end; other line separators of Unicode are characters like any."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def cleaned_values(value: Any) -> Any:
    """Return plain data with every text in it cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {cleaned_values(key): cleaned_values(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(cleaned_values, value))
    return value
