"""Git's own index, kept in step with our commits, so that `git status` shows what a person changed and nothing else.

Our commits never need it. Only the entries of changed paths are touched: what a person has staged stays staged. Where
it cannot be written (another git holds it) or had better be written later (it is large), a note in the home says from
which commit on it is behind.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.stores.files.atomic.disk import stat_of, write_whole
from hardwon.stores.files.git.git_locks import remove_stale_index_lock
from hardwon.stores.files.git.repository import git

if TYPE_CHECKING:
    from hardwon.stores.files.git.repository import Repository

BEHIND_FILE = "git-index.behind"
FORMAT_VERSION = 1
LARGE = 300_000
"""Bytes; writing an index of this size (some 2,500 files) takes 3 ms, and as much longer as it is larger."""
PATIENCE = 1.0
"""Seconds to wait for a git command that holds the index."""
PAUSE = 0.02
"""Seconds between tries: git tells nobody when it lets the index go."""


def follow(repository: Repository, contents: Mapping[str, str | None]) -> bool:
    """Write the entries of these paths (content's name, None: gone); False when another git holds the index."""
    return _retried(repository, lambda: _write(repository, contents))


def is_large(repository: Repository) -> bool:
    """Tell whether writing the index is dear."""
    found = stat_of(f"{repository.git_folder}/index")
    return found is not None and found.size > LARGE


def is_behind(home: Path) -> bool:
    """Tell whether the index is noted to be behind the last commit."""
    return (home / BEHIND_FILE).exists()


def note_behind(home: Path, since: str | None) -> None:
    """Note the commit (None: unknown) with which the index was last in step, unless an earlier one is noted."""
    if not is_behind(home):
        plain = {"version": FORMAT_VERSION, "commit": since}
        write_whole(home / BEHIND_FILE, json.dumps(plain).encode(), durable=False)


def clear_behind(home: Path) -> None:
    """Note that the index is in step."""
    (home / BEHIND_FILE).unlink(missing_ok=True)


def catch_up(home: Path, repository: Repository, *, keep_note: bool = False) -> bool:
    """Write what the index missed; False when another git holds it or the last commit is not known.

    `keep_note`: the caller clears the note. Raises StoreError when the history is damaged.
    """
    since, head = _noted(home), repository.head()
    done = repository.broken is None
    if head and since and repository.holds(since):
        done = follow(repository, {path: after for path, (_, after) in repository.changes(head, since).items()})
    elif head:
        done = _retried(repository, lambda: _write_all(repository))
    if done and not keep_note:
        clear_behind(home)
    return done


def _noted(home: Path) -> str | None:
    """Return the noted commit; None where the note says none or is none of ours."""
    try:
        commit = json.loads((home / BEHIND_FILE).read_bytes())["commit"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return commit if isinstance(commit, str) else None


def _write(repository: Repository, contents: Mapping[str, str | None]) -> None:
    if not _can_be_read(repository):
        _write_all(repository)
        return
    index = repository.raw.index
    for path, name in contents.items():
        if name is None:
            with contextlib.suppress(OSError, KeyError):
                index.remove(path)
        else:
            index.add(git().IndexEntry(path, git().Oid(hex=name), git().enums.FileMode.BLOB))
    index.write()


def _can_be_read(repository: Repository) -> bool:
    """Read the index; one that is damaged is taken away: what it held is on disk and in the history."""
    place = repository.git_folder / "index"
    if not place.exists():
        return False
    try:
        repository.raw.index.read(False)
    except git().GitError:
        place.unlink(missing_ok=True)
        return False
    return True


def _write_all(repository: Repository) -> None:
    index = repository.raw.index
    head = repository.head()
    if head:
        index.read_tree(repository.raw[head].peel(git().Tree))
        index.write()


def _retried(repository: Repository, write: Callable[[], object]) -> bool:
    """Write git's index, waiting for whoever holds its lock; return whether it was written within PATIENCE."""
    remove_stale_index_lock(repository.folder / ".git")
    until = time.monotonic() + PATIENCE
    while True:
        try:
            write()
            return True
        except (git().GitError, OSError):
            if time.monotonic() >= until:
                return False
            time.sleep(PAUSE)
