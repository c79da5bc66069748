"""Notes that a person wrote without an id become memories: they get one, written into the front matter.

The person's own commit comes first; then only the lines `hardwon`, `id` and `asserted_at` are added (above a note that
has no front matter, a block of them). A file that may not be written keeps an id that follows from its path.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.stores.files.indexing.rows import entry_of
from hardwon.stores.files.notes.fields import FORMAT_VERSION
from hardwon.stores.files.notes.frontmatter import FORMAT_KEY, parse
from hardwon.stores.files.notes.frontmatter_writer import change

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def adopt_notes(workspace: Workspace) -> None:
    """Plan to write their ids into the notes that have none."""
    rows = workspace.index.rows(
        "SELECT m.entry, f.path FROM files f JOIN memories m ON m.path = f.path WHERE f.without_id = 1 ORDER BY f.path"
    )
    for row in rows:
        entry, path = entry_of(row), row["path"]
        data = workspace.content(path)
        if data is None or not os.access(workspace.path(path), os.W_OK):
            continue
        values = {FORMAT_KEY: FORMAT_VERSION, "id": entry.id, "asserted_at": entry.times.asserted_at}
        with contextlib.suppress(InvalidInput):  # edited again, or in braces: it keeps the id that its path gives
            file = parse(data, path)
            known = file.values()
            missing = {key: value for key, value in values.items() if known.get(key) is None}
            workspace.write(path, change(file, missing), durable=True)
