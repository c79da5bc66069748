"""The history: commits made tree by tree from the one before, without git's index and without any git setting.

libgit2 is given the folder itself, so GIT_DIR and its like mean nothing; no hook runs, nothing is signed, no line end
is converted. Commits go to whatever branch is checked out.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreError
from hardwon.stores.files.atomic.disk import is_text
from hardwon.stores.files.git.branch import checked_out
from hardwon.stores.files.git.git_locks import remove_stale_branch_locks, remove_stale_first_locks
from hardwon.stores.files.git.history_writing import nested, writing
from hardwon.stores.files.git.loose_objects import changed_tree, write_object
from hardwon.stores.files.git.pack import LARGEST, MANY, write_pack

if TYPE_CHECKING:
    from datetime import datetime

    import pygit2

NAME, EMAIL = "hardwon", "hardwon@localhost"
BRANCH = "main"


@functools.cache
def git() -> Any:
    """Return pygit2, told to read no setting outside the repository, which could fail or change what we write."""
    import pygit2

    for level in (
        pygit2.enums.ConfigLevel.GLOBAL,
        pygit2.enums.ConfigLevel.XDG,
        pygit2.enums.ConfigLevel.SYSTEM,
    ):
        pygit2.settings.search_path[level] = ""
    pygit2.settings.owner_validation = False
    return pygit2


class Repository:
    """The git repository of `memory/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git = folder / ".git"
        self._open: pygit2.Repository | None = None
        self._common: Path | None = None

    @property
    def exists(self) -> bool:
        """Tell whether the folder is a repository; one that is being made has no HEAD until all else is there.

        One that may not be looked into is none to us.
        """
        git_folder = str(self._git)
        return os.path.isfile(f"{git_folder}/HEAD") or os.path.isfile(git_folder)  # noqa: PTH113 - asked at every write

    @property
    def git_folder(self) -> Path:
        """Return where git keeps its files: `.git`, or what that names in a worktree or submodule."""
        return Path(self.raw.path) if self._git.is_file() else self._git

    @property
    def common_folder(self) -> Path:
        """Return where git keeps what all worktrees share: objects and branches."""
        if self._common is None:
            folder = self._common = self.git_folder
            with contextlib.suppress(OSError):
                self._common = folder / (folder / "commondir").read_text(encoding="utf-8").strip()
        return self._common

    @property
    def raw(self) -> pygit2.Repository:
        """Return libgit2's repository. Raises StoreError when it cannot be opened."""
        if self._open is None:
            try:
                opened: pygit2.Repository = git().Repository(str(self.folder), git().enums.RepositoryOpenFlag.NO_SEARCH)
                self._open = opened
            except (git().GitError, KeyError) as error:
                raise StoreError(
                    f"The history of {self.folder} cannot be opened ({error}); restore its .git folder or a backup."
                ) from None
            return opened
        return self._open

    @writing
    def create(self) -> None:
        """Make the repository. Line ends and modes are kept as they are, whatever git is told elsewhere."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        remove_stale_first_locks(self._git)
        raw = git().init_repository(str(self.folder), initial_head=BRANCH, template_path=None)
        self._git.chmod(0o700)
        raw.config["core.autocrlf"] = False
        raw.config["core.fileMode"] = False
        raw.config["core.quotePath"] = False
        self._open, self._common = raw, None

    def head(self) -> str | None:
        """Return the name of the last commit, read without libgit2; None before the first, or where it is `broken`."""
        if not self.exists:
            return None
        if not os.path.isdir(self._git):  # noqa: PTH112 - a worktree or submodule: let libgit2 find it
            return None if self.raw.head_is_unborn else str(self.raw.head.target)
        return checked_out(self._git).commit

    @property
    def broken(self) -> Path | None:
        """Return the file of git that should say which commit is the last and does not; None while all is well."""
        return checked_out(self._git).broken if self.exists and self._git.is_dir() else None

    @property
    def is_merging(self) -> bool:
        """Tell whether a person is in the middle of a merge, rebase or the like."""
        names = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
        return self.exists and any((self.git_folder / name).exists() for name in names)

    def hash_of(self, data: bytes) -> str:
        """Return git's name of a content."""
        return str(git().hash(data))

    def content(self, name: str) -> bytes:
        """Return what an object holds, by its name. Raises StoreError when the history does not hold it."""
        try:
            return bytes(self.raw.read(name)[1])
        except (KeyError, ValueError):
            raise StoreError(
                f"The history of {self.folder} lacks {name}; run `git fsck` there or restore a backup."
            ) from None

    def files(self, commit: str | None) -> dict[str, str]:
        """Return the files of a commit: path to git's name of the content."""
        if commit is None:
            return {}
        result: dict[str, str] = {}
        pending = [("", self._tree(commit))]
        while pending:
            prefix, tree = pending.pop()
            for entry in tree:
                if entry.type_str == "tree":
                    pending.append((f"{prefix}{entry.name}/", entry))
                elif entry.type_str == "blob" and is_text(entry.name):
                    result[prefix + entry.name] = str(entry.id)
        return result

    def name_at(self, commit: str, path: str) -> str | None:
        """Return git's name of the content that a commit has at a path; None for none."""
        try:
            return str((self._tree(commit) / path).id)
        except KeyError:
            return None

    def versions(self, paths: Collection[str], furthest: int) -> Iterator[tuple[str, str]]:
        """Walk the contents that files had, the newest commit first: path and git's name; `furthest` in commits.

        A path that leaves `paths` meanwhile is not looked for any further.
        """
        head = self.head()
        if head is None or not paths:
            return
        order = git().enums.SortMode.TOPOLOGICAL | git().enums.SortMode.TIME
        for commit in islice(self.raw.walk(git().Oid(hex=head), order), furthest):
            if not paths:
                return
            for path in tuple(paths):
                with contextlib.suppress(KeyError):
                    yield path, str(commit.tree[path].id)

    def changes(self, commit: str, since: str | None = None) -> dict[str, tuple[str | None, str | None]]:
        """Return what a commit changed since another (else its first parent): path to content's name before and after.

        Raises StoreError when the history is damaged.
        """
        parents: Any = self._commit(commit).parent_ids
        since = since or (str(parents[0]) if parents else None)
        tree = self._tree(commit)
        diff = self._tree(since).diff_to_tree(tree) if since else tree.diff_to_tree(swap=True)
        result = {}
        for delta in diff.deltas:
            before = None if delta.status_char() == "A" else str(delta.old_file.id)
            after = None if delta.status_char() == "D" else str(delta.new_file.id)
            path = os.fsdecode(delta.new_file.raw_path)
            if is_text(path):
                result[path] = (before, after)
        return result

    def message(self, commit: str) -> str:
        """Return the message of a commit."""
        return str(self.raw[commit].message)  # type: ignore[attr-defined]

    def holds(self, commit: str) -> bool:
        """Tell whether a commit and its tree are in the repository."""
        try:
            return self.raw[commit].peel(git().Tree) is not None
        except (KeyError, ValueError, git().GitError):
            return False

    def descends(self, commit: str, other: str) -> bool:
        """Tell whether a commit was made on top of another."""
        return bool(self.raw.descendant_of(git().Oid(hex=commit), git().Oid(hex=other)))

    @writing
    def keep(self, data: bytes) -> str:
        """Store a content; return its name."""
        return write_object(self.common_folder, "blob", data)

    def keep_all(self, contents: Mapping[str, bytes | None]) -> dict[str, str | None]:
        """Store contents by path; return their names. Many at once become one pack."""
        present = {path: data for path, data in contents.items() if data is not None}
        if len(present) >= MANY and sum(map(len, present.values())) < LARGEST:
            kept = dict(zip(present, write_pack(self.common_folder, list(present.values())), strict=True))
        else:
            kept = {path: self.keep(data) for path, data in present.items()}
        return {path: kept.get(path) for path in contents}

    @writing
    def make_commit(
        self, contents: Mapping[str, str | None], message: str, at: datetime, author: tuple[str, str] | None = None
    ) -> str | None:
        """Make a commit on the last one, without moving the branch; return its name, None if nothing would change.

        `contents`: path to the name of its content, None for a path that goes.
        """
        raw = self.raw
        head = self.head()
        root = self._tree(head) if head else None
        before = root.read_raw() if root is not None else b""
        tree = changed_tree(self.common_folder, before, nested(contents), self.content)
        tree = tree or write_object(self.common_folder, "tree", b"")
        if root is not None and tree == str(root.id):
            return None
        signature = git().Signature(NAME, EMAIL, int(at.timestamp()), 0)
        by = git().Signature(*author, int(at.timestamp()), 0) if author else signature
        return str(raw.create_commit(None, by, signature, message, tree, [head] if head else []))

    def _tree(self, commit: str) -> Any:
        return self._commit(commit).peel(git().Tree)

    def _commit(self, commit: str) -> Any:
        try:
            return self.raw[commit].peel(git().Commit)
        except (KeyError, ValueError):
            raise StoreError(
                f"The history of {self.folder} is damaged at {commit}; run `git fsck` there or restore a backup."
            ) from None

    def move_branch(self, commit: str) -> None:
        """Let the branch that is checked out end at this commit; a stale lock is cleared. Raises StoreError."""
        try:
            try:
                self._move_branch(commit)
            except (git().GitError, OSError):
                remove_stale_branch_locks(self._git)
                self._move_branch(commit)
        except (git().GitError, OSError, ValueError) as error:
            raise StoreError(
                f"The history of {self.folder} cannot be written ({error}); end other git commands there and repeat."
            ) from None

    def _move_branch(self, commit: str) -> None:
        if self.raw.head_is_detached:
            self.raw.set_head(git().Oid(hex=commit))
        else:
            branch = self.raw.lookup_reference("HEAD").target
            self.raw.references.create(str(branch), commit, force=True)

    def close(self) -> None:
        """Let go of the repository."""
        if self._open is not None:
            self._open.free()
        self._open = self._common = None
