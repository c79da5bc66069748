"""FakeReader: a lesson a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.records import Problem


class FakeReader:
    """Reads files that end in `.lessons`: every line is a lesson, a line of dashes is reported and skipped."""

    def accepts(self, path: Path) -> bool:
        """Tell whether this reader is for such a file."""
        return path.suffix == ".lessons"

    def read(self, path: Path) -> Iterator[Mapping[str, Any] | Problem]:
        """Walk the lines. Raises InvalidInput for what is no UTF-8 text."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{path} cannot be read ({error}); save it as UTF-8 text.") from None
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip("- "):
                yield {"content": line.strip(), "source": {"file": str(path), "line": number}}
            elif line:
                yield Problem(where=f"{path}:{number}", what="This line holds no lesson; write one or remove it.")
