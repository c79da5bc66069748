"""A content without a block of links, which a file may have and a memory has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel import cleaning
from hardwon.stores.files.notes.links import without_block

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry


def cleaned_entry(entry: MemoryEntry) -> MemoryEntry:
    """Return an entry as it is kept. Raises InvalidInput where cleaning leaves none."""
    entry = cleaning.cleaned_entry(entry)
    content = without_block(entry.content)
    return entry if content == entry.content else entry.model_copy(update={"content": content})
