"""What a text file cannot hold is cleaned before it is kept, by the one rule of all stores: the kernel's `clean`."""

from __future__ import annotations

import re
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.text import clean
from hardwon.stores.files.frontmatter import normalised
from hardwon.stores.files.links import without_block

_SUSPECT = re.compile("\\\\u00[01][0-9a-f]|\\\\[bf]|[\x7f\ufffe\uffff]")
"""How control characters look in JSON."""


def cleaned_values(value: Any) -> Any:
    """Return plain data with every text in it cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {cleaned_values(key): cleaned_values(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(cleaned_values, value))
    return value


def cleaned_content(content: str) -> str:
    """Return a content with LF line ends and without a block of links, which is never part of what is remembered."""
    return without_block(normalised(clean(content)))


def cleaned_entry(entry: MemoryEntry) -> MemoryEntry:
    """Return an entry that can be kept, mostly as it is. Raises InvalidInput where cleaning leaves none."""
    try:
        dirty = _SUSPECT.search(entry.model_dump_json()) is not None
    except PydanticSerializationError:  # a lone surrogate
        dirty = True
    if dirty:
        try:
            entry = MemoryEntry.model_validate(cleaned_values(entry.model_dump()))
        except ValidationError as error:
            raise InvalidInput(f"The memory {entry.id} cannot be kept as text ({error.errors()[0]['msg']}).") from None
    content = cleaned_content(entry.content)
    return entry if content == entry.content else entry.model_copy(update={"content": content})
