"""Whether memories exist that a caller names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import NotFound
from hardwon.stores.files.indexing.rows import in_list

if TYPE_CHECKING:
    from hardwon.stores.files.indexing.index import Index


def require(index: Index, ids: Sequence[str]) -> None:
    """Raise NotFound unless all these memories exist."""
    sql = "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    found = {row["id"] for row in index.rows(sql, (in_list(ids),))}
    for id in ids:
        if id not in found:
            raise NotFound(f"There is no memory {id}; look for it with `hardwon recall`.")
