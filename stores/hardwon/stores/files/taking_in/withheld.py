"""A file in which a person wrote a secret by hand: reported, left as it is, and kept out of index and history.

What we write is redacted before it gets here, so our own files are none. What the file said before stays in the index.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.redacting.values import PRIVATE, redacted
from hardwon.stores.files.decision_files import is_decision, read_decision
from hardwon.stores.files.journal_files import is_journal
from hardwon.stores.files.notes.fields import read_entry
from hardwon.stores.files.notes.frontmatter import parse
from hardwon.stores.files.notes.journal_blocks import read_blocks
from hardwon.stores.files.notes.layout import is_memory, place_of

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def secret_in(workspace: Workspace, path: str, data: bytes, said: Any = None) -> tuple[int | None, str] | None:
    """Return the line of the first secret in a file, where it is known, and a sentence; None where there is none.

    `said` is what was read from the file, if it was read already.
    """
    if said is None:
        with contextlib.suppress(UnreadableFile):
            said = _said(workspace, path, data)
    text = data.decode("utf-8", "replace")
    sorts = [sort for sort in redacted(workspace.redactor(), text if said is None else said)[1] if sort != PRIVATE]
    if not sorts:
        return None
    named = ", ".join(dict.fromkeys(sorts))
    return _line(workspace, text), f"it holds what looks like a secret ({named}); take it out to have it kept"


def require_none(workspace: Workspace, path: str, data: bytes, said: Any = None) -> None:
    """Raise UnreadableFile where a file holds a secret: what is written to it would bring that into the history."""
    found = secret_in(workspace, path, data, said)
    if found:
        raise UnreadableFile(path, found[1], found[0])


def _said(workspace: Workspace, path: str, data: bytes) -> Any:
    """Return what a file says, as it was redacted when we wrote it; None where that is its text."""
    if is_memory(path):
        return read_entry(parse(data, path), place_of(path, workspace.project_of), 0).entry
    if is_decision(path):
        return read_decision(data, path)
    if is_journal(path):
        return [placed.known.block.said for placed in read_blocks(data, path)]
    return None


def _line(workspace: Workspace, text: str) -> int | None:
    clean = workspace.redactor().redact(text).text
    first = next((place for place, (one, other) in enumerate(zip(text, clean, strict=False)) if one != other), None)
    return None if first is None else text.count("\n", 0, first) + 1
