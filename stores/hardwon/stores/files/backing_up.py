"""A copy of the truth as of one commit, while others read and write: the history, and the files that it says.

Under the writers' lock only a person's edits are committed and what no commit can hold is listed. Then the history is
copied, names first and objects after them: whatever the names say then, its objects are there. Packing, which alone
takes objects away, waits. The files are written from the copied history, so that none is half of a later change.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel import background
from hardwon.kernel.errors import StoreError
from hardwon.stores.files.git.repository import Repository, git
from hardwon.stores.files.ledger import FOLDER as ACTIVITY
from hardwon.stores.files.upkeep import LOCK_FILE
from hardwon.stores.files.workspace import MEMORY

if TYPE_CHECKING:
    from hardwon.stores.files.opened import Opened

PATIENCE = 60.0
"""Seconds to wait for the process that packs."""
_TRIES = 3
"""How often a copy begins again because another git took something away meanwhile."""
_NOT_COPIED = (".lock", "index", "worktrees", "hooks")
"""What of a history belongs to its place."""


def back_up(opened: Opened, to: Path) -> None:
    """Write the truth into a folder as it lies in a home. Raises StoreError, StoreBusy."""
    workspace = opened.workspace
    if workspace.repository.exists:
        strays = _settled(opened)
        with background.alone(workspace.home / LOCK_FILE, PATIENCE):
            _copy_history(workspace.repository, to / MEMORY)
        _write_files(to / MEMORY)
        for name in strays:
            _copy(workspace.path(name), to / MEMORY / name)
    for path in sorted((workspace.home / ACTIVITY).glob("*.jsonl")):
        _copy(path, to / ACTIVITY / path.name)


def back_up_vectors(path: Path, to: Path) -> None:
    """Copy the embeddings, if there are any: making them again takes hours."""
    if path.is_file():
        with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(to)) as target:
            source.backup(target)


def _settled(opened: Opened) -> list[str]:
    """Commit what people changed; return the files that no commit holds, such as one that is too large."""
    workspace = opened.workspace
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(opened.operation("Back up"))
        except StoreError:
            if os.access(workspace.memory, os.W_OK):
                raise
        committed = workspace.repository.files(workspace.repository.head())
        return [name for name in _names(workspace.memory) if name not in committed]


def _names(folder: Path) -> Iterator[str]:
    """Walk the files below a folder, those of other programs (`.git`, `.obsidian`) left out."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if not name.startswith("."):
                yield Path(place, name).relative_to(folder).as_posix()


def _copy_history(repository: Repository, to: Path) -> None:
    for _ in range(_TRIES):
        with contextlib.suppress(FileNotFoundError):
            _copy_git(repository.common_folder, repository.git_folder, to / ".git")
            return
        shutil.rmtree(to, ignore_errors=True)
    raise StoreError(f"Another git is at work in {repository.folder}; back up when it is done.")


def _copy_git(common: Path, own: Path, to: Path) -> None:
    to.mkdir(parents=True)
    shutil.copyfile(own / "HEAD", to / "HEAD")
    parts = sorted(common.iterdir(), key=lambda path: path.name == "objects")
    for path in parts:
        if path.name == "HEAD" or path.name.endswith(_NOT_COPIED):
            continue
        if path.is_dir():
            shutil.copytree(path, to / path.name, ignore=shutil.ignore_patterns("*.lock", "tmp_*"))
        else:
            shutil.copyfile(path, to / path.name)


def _write_files(memory: Path) -> None:
    """Write the files of the commit that the copied history ends with."""
    try:
        raw = git().Repository(str(memory))
        if not raw.head_is_unborn:
            raw.checkout_head(strategy=git().enums.CheckoutStrategy.FORCE)
        raw.free()
    except git().GitError as error:
        raise StoreError(f"The history of the copy cannot be read ({error}); run `hardwon doctor`.") from None


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):  # it was there a moment ago, and no commit had it
        shutil.copyfile(path, to)
