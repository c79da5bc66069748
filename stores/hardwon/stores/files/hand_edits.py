"""What a person changed on disk goes into the history under their name, before anything of ours touches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.stores.files.git import git_index
from hardwon.stores.files.git.person import person
from hardwon.stores.files.indexing.index import HEAD
from hardwon.stores.files.publishing import mend_git_index
from hardwon.stores.files.taking_in.withheld import secret_in

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace

_NAMED = 3
"""How many files a message names."""


def commit_hand_edits(workspace: Workspace) -> None:
    """Commit what differs from the last commit; the caller holds the lock and has brought the index up to date.

    What holds a secret is left out until that is mended. In the middle of a person's merge or rebase nothing of theirs
    is committed: they are about to.
    """
    index, repository = workspace.index, workspace.repository
    changed = index.rows(
        "SELECT path, hash FROM files WHERE hash IS NOT committed AND (hash IS NOT NULL OR size IS NULL) ORDER BY path"
    )
    if not changed or repository.is_merging:
        return
    contents: dict[str, bytes | None] = {}
    for row in changed:
        data = workspace.content(row["path"]) if row["hash"] else None
        if data is not None and repository.hash_of(data) != row["hash"]:
            continue  # edited again just now: the next look takes it in
        if data is not None and secret_in(workspace, row["path"], data):
            continue
        contents[row["path"]] = data
    if not contents:
        return
    names = repository.keep_all(contents)
    commit = repository.make_commit(names, _message(names), workspace.clock.now(), person(workspace.memory))
    git_index.note_behind(workspace.home, repository.head())
    with index.transaction():
        if commit is not None:
            repository.move_branch(commit)
            index.set_meta(HEAD, commit)
        index.run_many("UPDATE files SET committed = ? WHERE path = ?", [(name, path) for path, name in names.items()])
        index.run("DELETE FROM files WHERE size IS NULL AND committed IS NULL")
    mend_git_index(workspace)


def _message(names: dict[str, str | None]) -> str:
    deleted = [path for path, name in names.items() if name is None]
    parts = [_listed("Edit by hand", [path for path in names if path not in deleted])]
    parts.append(_listed("Delete by hand", deleted))
    first, *rest = [part for part in parts if part]
    return "\n\n".join([first, *rest]) + "\n"


def _listed(what: str, paths: list[str]) -> str:
    if not paths:
        return ""
    named = ", ".join(path.rpartition("/")[2] for path in paths[:_NAMED])
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return f"{what}: {named}{more}"
