"""Lets a branch that a power cut left without a commit name the last good one again.

A history is never begun anew over one that is there: where the last commit is not known, a person has to say it.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.stores.files.atomic.disk import write_whole
from hardwon.stores.files.atomic.intent import read_intent
from hardwon.stores.files.git.branch import COMMIT, logged, packed
from hardwon.stores.files.git.repository import BRANCH
from hardwon.stores.files.indexing.index import HEAD

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace

_MOVED = re.compile(r"\tcheckout: moving from \S+ to (\S+)$")


def repair_branch(workspace: Workspace) -> str | None:
    """Mend HEAD and the branch, if need be; return a sentence what a person has to do where that is not possible.

    The caller holds the lock. Raises StoreError when the history cannot be opened or written.
    """
    repository = workspace.repository
    broken = repository.broken
    if broken is not None and broken.name == "HEAD":
        branch = _branch(broken.parent)
        if branch is None:
            return f"{broken} names no branch; write `ref: refs/heads/` and the branch's name into it, then repeat."
        write_whole(broken, f"ref: {branch}\n".encode(), durable=True)
        repository.close()
        broken = repository.broken
    if broken is None:
        return None
    commit = _last_commit(workspace, broken)
    if commit is None:
        return (
            f"{broken} names no commit; look for the last one with `git fsck --lost-found` in {workspace.memory}, write"
            " its name into that file, then repeat."
        )
    write_whole(broken, f"{commit}\n".encode(), durable=True)
    repository.close()
    return None


def _branch(folder: Path) -> str | None:
    """Return the branch that was checked out last; None where that is in doubt."""
    moves = [found[1] for line in logged(folder, "HEAD") if (found := _MOVED.search(line))]
    branches = folder / "refs" / "heads"
    names = [
        path.relative_to(branches).as_posix()
        for path in branches.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    ]
    only = names[0] if len(names) == 1 else BRANCH
    wanted = moves[-1] if moves else only
    reference = f"refs/heads/{wanted}"
    known = wanted in names or packed(folder, reference) or logged(folder, reference)
    return reference if known else None


def _last_commit(workspace: Workspace, broken: Path) -> str | None:
    """Return the newest commit that something remembers and the history holds whole."""
    repository = workspace.repository
    folder = repository.git_folder
    reference = broken.relative_to(folder).as_posix()
    intent = read_intent(workspace.home)
    remembered = [
        *_after(logged(folder, reference)),
        packed(folder, reference),
        _known_to_index(workspace),
        intent.parent if intent else None,
    ]
    best = None
    for commit in filter(None, remembered):
        if COMMIT.fullmatch(commit) and repository.holds(commit):
            best = commit if best is None or repository.descends(commit, best) else best
    return best


def _after(lines: list[str]) -> list[str]:
    """Return the commit that the last whole line of a log ends at: a power cut may have left junk behind it."""
    ends = [line.split(" ")[1] for line in lines if re.match(rf"{COMMIT.pattern} {COMMIT.pattern} ", line)]
    return ends[-1:]


def _known_to_index(workspace: Workspace) -> str | None:
    index = workspace.index
    try:
        return index.meta(HEAD) if index.is_ready else None
    except sqlite3.DatabaseError:  # it is healed when it is next read; the history's own log knows more
        return None
