"""Git's own index, kept in step with our commits, so that `git status` shows what a person changed and nothing else.

Our commits never need it. Only the entries of changed paths are touched: what a person has staged stays staged.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.stores.files.git_locks import remove_stale_locks
from hardwon.stores.files.repository import git

if TYPE_CHECKING:
    from hardwon.stores.files.repository import Repository

INDEX_BEHIND = "git_index_behind"
"""The key under which our index remembers that git's own is not in step."""
PATIENCE = 1.0
"""Seconds to wait for a git command that holds the index."""


def follow(repository: Repository, contents: Mapping[str, str | None]) -> bool:
    """Write the entries of these paths (content's name, None: gone); False when another git holds the index."""
    return _retried(repository, lambda: _write(repository, contents))


def reset(repository: Repository) -> bool:
    """Make the index that of the last commit; False when another git holds it."""
    return _retried(repository, lambda: _write_all(repository))


def _write(repository: Repository, contents: Mapping[str, str | None]) -> None:
    index = repository.raw.index
    index.read(False)
    for path, name in contents.items():
        if name is None:
            with contextlib.suppress(OSError, KeyError):
                index.remove(path)
        else:
            index.add(git().IndexEntry(path, git().Oid(hex=name), git().enums.FileMode.BLOB))
    index.write()


def _write_all(repository: Repository) -> None:
    index = repository.raw.index
    head = repository.head()
    if head:
        index.read_tree(repository.raw[head].peel(git().Tree))
        index.write()


def _retried(repository: Repository, write: object) -> bool:
    assert callable(write)
    remove_stale_locks(repository.folder / ".git")
    until = time.monotonic() + PATIENCE
    while True:
        try:
            write()
            return True
        except (git().GitError, OSError):
            if time.monotonic() >= until:
                return False
            time.sleep(0.02)
