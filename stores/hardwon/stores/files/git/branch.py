"""Which commit is checked out, read from git's own files: quicker than libgit2, and possible where those are damaged.

A power cut can leave HEAD or a branch empty or full of zeros, which no git command gets over.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

COMMIT = re.compile(r"[0-9a-f]{40}")
_REFERENCE = re.compile(r"ref: (refs/(?!\S*\.\.)\S+)")


@dataclass(frozen=True)
class CheckedOut:
    """What is checked out."""

    reference: str | None = None
    """The branch, as in `refs/heads/main`; None where a commit is checked out by itself."""
    commit: str | None = None
    """None before the first one, and where it is not known."""
    broken: Path | None = None
    """The file that should say more and does not."""


def checked_out(folder: Path) -> CheckedOut:
    """Read what is checked out from a `.git` folder that has a HEAD."""
    text = _text(f"{folder}/HEAD")
    if COMMIT.fullmatch(text):
        return CheckedOut(commit=text)
    named = _REFERENCE.fullmatch(text)
    if not named:
        return CheckedOut(broken=folder / "HEAD")
    reference = named[1]
    place = f"{folder}/{reference}"
    commit = _text(place) if os.path.isfile(place) else packed(folder, reference)  # noqa: PTH113 - asked at every write
    if commit is not None and COMMIT.fullmatch(commit):
        return CheckedOut(reference, commit)
    # A branch that never had a commit has no log; git removes the log with the branch.
    is_broken = commit is not None or bool(logged(folder, reference))
    return CheckedOut(reference, broken=Path(place) if is_broken else None)


def packed(folder: Path, reference: str) -> str | None:
    """Return the commit of a branch in the file of all branches; None where it is not in it."""
    with contextlib.suppress(OSError):
        for line in (folder / "packed-refs").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.endswith(f" {reference}"):
                return line.split(" ", 1)[0]
    return None


def logged(folder: Path, reference: str) -> list[str]:
    """Return the lines of git's log of a branch or of HEAD, oldest first: commit before, commit after, who and why."""
    try:
        return (folder / "logs" / reference).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _text(path: str) -> str:
    with open(path, "rb") as file:  # noqa: PTH123 - read several times at every write
        return file.read().decode("ascii", "replace").strip()
