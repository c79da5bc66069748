"""Forgets memories for good, inside an operation: their files, their rows, and what other files say of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.stores.files.edges import forget_edges
from hardwon.stores.files.indexing.existing import require
from hardwon.stores.files.indexing.generations import remove_unused
from hardwon.stores.files.indexing.register import unregister
from hardwon.stores.files.indexing.rows import in_list
from hardwon.stores.files.kept_versions import path_of_versions
from hardwon.stores.files.taking_in.deletions import write_deletions

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def delete(workspace: Workspace, ids: Sequence[str]) -> None:
    """Forget memories: their files, their rows, and every edge that touches them. Raises NotFound, forgetting none.

    Indexes of former formats and damaged ones, in which they stand, go too.
    """
    require(workspace.index, ids)
    forget_edges(workspace, ids)
    listed = (in_list(ids),)
    for row in workspace.index.rows(
        "SELECT path FROM files WHERE size IS NOT NULL AND id IN (SELECT value FROM json_each(?))", listed
    ):
        workspace.remove(row["path"])
    for row in workspace.index.rows(
        "SELECT path FROM memories WHERE path IS NOT NULL AND id IN (SELECT value FROM json_each(?))", listed
    ):
        workspace.remove(row["path"])
    for path in map(path_of_versions, ids):
        if workspace.exists(path):
            workspace.remove(path)
    unregister(workspace.index, ids)
    write_deletions(workspace)
    remove_unused(workspace.home, at_once=True)
