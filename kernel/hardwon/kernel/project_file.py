"""The nearest `.hardwon.toml`: what a repository says of itself. Strings alone, since the hook program reads it too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.regular_file import read_regular_text

PROJECT_FILE = ".hardwon.toml"


def at_and_above(folder: str) -> Iterator[str]:
    """Walk an absolute folder and those that it lies in, the innermost first."""
    yield folder
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        yield folder


def nearest_project_file(start: str) -> tuple[str, dict[str, Any]] | None:
    """Return the nearest one at or above an absolute folder, with its content. Raises InvalidInput if it is broken."""
    for folder in at_and_above(start):
        path = os.path.join(folder, PROJECT_FILE)
        if os.path.isfile(path):
            import tomllib

            try:
                return path, tomllib.loads(read_regular_text(path))
            except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
                raise InvalidInput(f"{path} cannot be read ({error}); mend it or move it away.") from None
    return None
