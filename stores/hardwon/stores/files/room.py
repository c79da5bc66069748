"""Whether a folder takes one more file: one with 500 of them is full, and goes on below itself (`layout`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.stores.files.notes.layout import FULL_FOLDER, folder_with_room

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def is_full(workspace: Workspace, folder: str) -> bool:
    """Tell whether a folder is full, with the files that the operation under way puts there."""
    counts = workspace.planned.folder_counts
    if folder not in counts:
        sql = "SELECT count(*) FROM files WHERE folder = ? AND size IS NOT NULL"
        counts[folder] = workspace.index.rows(sql, (folder,))[0][0]
    return counts[folder] >= FULL_FOLDER


def take_room(workspace: Workspace, path: str) -> None:
    """Count a file that the operation under way puts into a folder."""
    counts = workspace.planned.folder_counts
    folder = path.rpartition("/")[0]
    if not is_full(workspace, folder):
        counts[folder] += 1


def roomy(workspace: Workspace, folder: str, id: str) -> str:
    """Return the folder, or one below it, that takes a file named after this id."""
    return folder_with_room(folder, id, lambda each: is_full(workspace, each))
