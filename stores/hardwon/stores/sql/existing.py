"""Whether memories exist that a caller names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hardwon.kernel.errors import NotFound

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database


def require(database: Database, ids: Iterable[str]) -> None:
    """Raise NotFound unless all these memories exist."""
    wanted = list(dict.fromkeys(ids))
    clause, values = database.among("id", wanted)
    found = {id for (id,) in database.rows(f"SELECT id FROM memories WHERE {clause}", values)}  # noqa: S608
    for id in wanted:
        if id not in found:
            raise unknown(id)


def unknown(id: str) -> NotFound:
    """Return what to raise for a memory that does not exist."""
    return NotFound(f"There is no memory {id}; look for it with `hardwon recall`.")
