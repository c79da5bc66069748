"""FakeHarness: a coding agent whose whole configuration is one JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


class FakeHarness:
    """Wires hardwon into `settings.json` of a folder; other keys of that file are somebody else's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._settings = folder / "settings.json"

    @property
    def name(self) -> str:
        """Return the harness's name."""
        return "fake"

    def parse(self, payload: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the event, or None when the payload names none."""
        event = payload.get("event")
        return {"moment": event, "prompt": payload.get("prompt", "")} if isinstance(event, str) else None

    def render(self, event: Mapping[str, Any], injection: str) -> bytes:
        """Return the answer as JSON."""
        return json.dumps({"moment": event["moment"], "context": injection}, ensure_ascii=False).encode()

    def install(self, home: Path) -> list[str]:
        """Write the home into the settings."""
        settings = self._read()
        if settings.get("hardwon") == str(home):
            return []
        self._settings.write_text(json.dumps({**settings, "hardwon": str(home)}), encoding="utf-8")
        return [f"Wrote the key hardwon to {self._settings}."]

    def uninstall(self, home: Path) -> list[str]:
        """Take the home out of the settings again."""
        settings = self._read()
        if settings.get("hardwon") != str(home):
            return []
        del settings["hardwon"]
        if settings:
            self._settings.write_text(json.dumps(settings), encoding="utf-8")
        else:
            self._settings.unlink()
        return [f"Removed the key hardwon from {self._settings}."]

    def status(self) -> Mapping[str, Any]:
        """Return the home it is wired to, if any."""
        home = self._read().get("hardwon")
        return {"installed": home is not None, "home": home}

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts of the folder."""
        for path in sorted(self._folder.glob("*.jsonl")):
            if since is None or datetime.fromtimestamp(path.stat().st_mtime, UTC) >= since:
                yield path

    def _read(self) -> dict[str, Any]:
        if not self._settings.exists():
            return {}
        settings: dict[str, Any] = json.loads(self._settings.read_text(encoding="utf-8"))
        return settings
