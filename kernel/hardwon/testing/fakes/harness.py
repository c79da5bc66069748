"""FakeHarness: a coding agent whose whole configuration is one JSON file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.kernel.harness import HarnessEvent, HarnessMoment, Job

HOME, JOBS = "hardwon", "hardwon-jobs"
"""Our keys in the settings."""


class FakeHarness:
    """Wires hardwon into `settings.json` of a folder; other keys of that file are somebody else's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._settings = folder / "settings.json"

    @property
    def name(self) -> str:
        """Return the harness's name."""
        return "fake"

    def parse(self, payload: Mapping[str, Any]) -> HarnessEvent | None:
        """Return the event, or None when the payload names no moment."""
        moment, prompt, session = (payload.get(name) for name in ("event", "prompt", "session"))
        if moment not in tuple(HarnessMoment):
            return None
        return HarnessEvent(
            HarnessMoment(moment),
            self._folder,
            session=session if isinstance(session, str) else None,
            prompt=prompt if isinstance(prompt, str) else "",
        )

    def render(self, event: HarnessEvent, injection: str) -> bytes:
        """Return the answer as JSON."""
        return json.dumps({"moment": event.moment, "context": injection}, ensure_ascii=False).encode()

    def tools(self) -> Mapping[str, str]:
        """Return one tool."""
        return {"recall": "hardwon_recall"}

    def schedule(self, jobs: Sequence[Job]) -> list[str]:
        """Write the jobs into the settings; none takes them out."""
        return self._write(JOBS, [dataclasses.asdict(job) for job in jobs] or None)

    def install(self, home: Path) -> list[str]:
        """Write the home into the settings."""
        return self._write(HOME, str(home))

    def uninstall(self, home: Path) -> list[str]:
        """Take the home and the jobs out of the settings again."""
        if self._read().get(HOME) != str(home):
            return []
        return self._write(JOBS, None) + self._write(HOME, None)

    def status(self) -> Mapping[str, Any]:
        """Return the home it is wired to, if any."""
        home = self._read().get(HOME)
        return {"installed": home is not None, "home": home}

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts of the folder."""
        for path in sorted(self._folder.glob("*.jsonl")):
            if since is None or datetime.fromtimestamp(path.stat().st_mtime, UTC) >= since:
                yield path

    def _write(self, key: str, value: Any) -> list[str]:
        """Set a key, or remove it where the value is None; return what was changed."""
        before = self._read()
        after = {name: each for name, each in {**before, key: value}.items() if each is not None}
        after = json.loads(json.dumps(after))
        if after == before:
            return []
        if after:
            self._settings.write_text(json.dumps(after), encoding="utf-8")
        else:
            self._settings.unlink()
        return [f"Changed the key {key} in {self._settings}."]

    def _read(self) -> dict[str, Any]:
        if not self._settings.exists():
            return {}
        settings: dict[str, Any] = json.loads(self._settings.read_text(encoding="utf-8"))
        return settings
