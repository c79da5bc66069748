"""What a text file cannot hold is cleaned before it is kept."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.text import clean
from hardwon.stores.cleaning import SUSPECT, cleaned_values
from hardwon.stores.files.frontmatter import normalised
from hardwon.stores.files.links import without_block


def cleaned_content(content: str) -> str:
    """Return a content with LF line ends and without a block of links, which is never part of what is remembered."""
    return without_block(normalised(clean(content)))


def cleaned_entry(entry: MemoryEntry) -> MemoryEntry:
    """Return an entry that can be kept, mostly as it is. Raises InvalidInput where cleaning leaves none."""
    try:
        dirty = SUSPECT.search(entry.model_dump_json()) is not None
    except PydanticSerializationError:  # a lone surrogate
        dirty = True
    if dirty:
        try:
            entry = MemoryEntry.model_validate(cleaned_values(entry.model_dump()))
        except ValidationError as error:
            raise InvalidInput(f"The memory {entry.id} cannot be kept as text ({error.errors()[0]['msg']}).") from None
    content = cleaned_content(entry.content)
    return entry if content == entry.content else entry.model_copy(update={"content": content})
