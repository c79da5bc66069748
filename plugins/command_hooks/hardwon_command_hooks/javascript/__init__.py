"""The JavaScript that harnesses with plugins in their own process share; their adapters copy it beside their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent


def modules(folder: Path) -> Iterator[tuple[str, str]]:
    """Walk the JavaScript files of a folder, and of those below it, by their path in it."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".js", ".mjs"):
            yield str(path.relative_to(folder)), path.read_text(encoding="utf-8")
