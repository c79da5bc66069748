"""A PostgreSQL server for as long as somebody tries the store out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hardwon.stores.postgres.embedded import EmbeddedServer


@contextmanager
def trial(_folder: Path) -> Iterator[Mapping[str, Any]]:
    """Lend the settings of a server of one's own, in a folder that is gone afterwards. Raises Unavailable."""
    with EmbeddedServer() as server:
        yield {"postgres": {"url": server.url}}
