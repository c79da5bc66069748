"""What becomes of a file, as a unified diff that a person reads before it happens."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted

if TYPE_CHECKING:
    from hardwon.kernel.harness import FileChange

LONGEST_LINE = 400
"""Characters. A file with longer lines, mostly JSON on one line, is shown piece by piece: the rest of it is not at
issue and may hold secrets."""
_PIECE = re.compile(r"(?<=[,{\[])")


def is_own(change: FileChange) -> bool:
    """Tell whether a file is hardwon's alone, by its name or its folder's: its text is of no interest to a user."""
    return any(name.lstrip(".").startswith("hardwon") for name in change.path.parts[-2:])


def named(change: FileChange) -> str:
    """Return what becomes of a file in one line, without its text."""
    verb = "made" if change.before is None else "removed" if change.after is None else "changed"
    return f"{verb}: `{change.path}` ({counted(len(_lines(change.after or change.before)), 'line')})"


def difference(change: FileChange) -> str:
    """Return a change as a unified diff."""
    before, after = (_lines(content) for content in (change.before, change.after))
    context = 1
    if any(len(line) > LONGEST_LINE for line in (*before, *after)):
        before, after = ([piece for line in lines for piece in _PIECE.split(line)] for lines in (before, after))
        context = 0
    old, new = (str(change.path) if content is not None else "/dev/null" for content in (change.before, change.after))
    return "\n".join(difflib.unified_diff(before, after, old, new, lineterm="", n=context))


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines()
