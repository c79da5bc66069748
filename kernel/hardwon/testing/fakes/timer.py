"""FakeTimer: a timer whose system is a dictionary."""

from __future__ import annotations

from pathlib import Path


class FakeTimer:
    """Keeps which home has which line."""

    def __init__(self, why_missing: str | None = None) -> None:
        self.lines: dict[Path, str] = {}
        self._why_missing = why_missing

    def missing(self) -> str | None:
        """Return why it cannot be used here."""
        return self._why_missing

    def installed(self, home: Path) -> bool:
        """Tell whether the home has a line."""
        return home in self.lines

    def is_current(self, home: Path, line: str) -> bool:
        """Tell whether the home has this line."""
        return self.lines.get(home) == line

    def preview(self, home: Path, line: str) -> str:
        """Return the line with the home."""
        return f"{line} {home}\n"

    def install(self, home: Path, line: str) -> list[str]:
        """Keep the line."""
        if self.is_current(home, line):
            return []
        self.lines[home] = line
        return [f"Took the line for {home}."]

    def remove(self, home: Path) -> list[str]:
        """Let the line go."""
        return [f"Let the line for {home} go."] if self.lines.pop(home, None) else []
