"""Writes the blocks of links of those memories whose edges changed, at the end of an operation."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from hardwon.kernel.errors import UnreadableFile
from hardwon.stores.files.front_door import title_of
from hardwon.stores.files.indexing.rows import relation_of
from hardwon.stores.files.notes.frontmatter import parse
from hardwon.stores.files.notes.frontmatter_writer import change
from hardwon.stores.files.notes.links import block_of, render_block, with_block
from hardwon.stores.files.taking_in.withheld import require_none

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def write_link_blocks(workspace: Workspace) -> None:
    """Plan to write the block of each memory whose edges changed. A file that cannot be read is left alone."""
    for id in workspace.planned.relinked:
        found = workspace.index.rows("SELECT path FROM memories WHERE id = ? AND path IS NOT NULL", (id,))
        if not found:
            continue
        path = found[0]["path"]
        workspace.before_touching(path)
        data = workspace.content(path)
        if data is None:
            continue
        try:
            file = parse(data, path)
            require_none(workspace, path, data)
        except UnreadableFile:
            continue
        block = render_block(_edges(workspace, id))
        if block != block_of(file.body):
            workspace.write(path, change(file, {}, with_block(file.body, block)), durable=True)


def _edges(workspace: Workspace, id: str) -> list[tuple[str, str, str]]:
    """Return the standing edges of a memory: name from its end, stem of the other file, title of the other memory."""
    rows = workspace.index.rows(
        "SELECT r.relation, m.path, m.content FROM relations r"
        " JOIN memories m ON m.id = CASE r.source WHEN ?1 THEN r.target ELSE r.source END"
        " WHERE ?1 IN (r.source, r.target) AND r.retracted_at IS NULL AND r.in_text = 0 AND m.path IS NOT NULL",
        (id,),
    )
    return [
        (relation_of(row).named_from(id), PurePosixPath(row["path"]).stem, title_of(row["content"])) for row in rows
    ]
