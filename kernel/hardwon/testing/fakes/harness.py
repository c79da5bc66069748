"""FakeHarness: a coding agent whose whole configuration is one JSON file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.harness import FileChange, HarnessEvent, HarnessMoment, Job
from hardwon.kernel.records import Problem
from hardwon.kernel.session import Message, Speaker, Turn

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
        moment, prompt, session, file = (payload.get(name) for name in ("event", "prompt", "session", "file"))
        if moment not in tuple(HarnessMoment):
            return None
        return HarnessEvent(
            HarnessMoment(moment),
            self._folder,
            session=session if isinstance(session, str) else None,
            prompt=prompt if isinstance(prompt, str) else "",
            transcript=Path(file) if isinstance(file, str) else None,
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

    def present(self) -> bool:
        """Tell whether its folder is there."""
        return self._folder.is_dir()

    def hook_table(self) -> Mapping[str, Any]:
        """Return the names that `parse` and `render` use."""
        return {
            "title": "Fake",
            "events": {moment: moment for moment in ("session-start", "prompt", "turn-end", "session-end")},
            "fields": {
                "event": "event",
                "session": "session",
                "folder": "folder",
                "prompt": "prompt",
                "transcript": "file",
            },
            "answers": {"session-start": {"context": "$text"}, "prompt": {"context": "$text"}},
            "limit": 9_000,
            "capture": True,
            "recall": True,
            "subagents": False,
        }

    def changes(self, home: Path) -> list[FileChange]:
        """Return the settings with the home in them."""
        change = self._with(HOME, str(home))
        return [] if change.after == change.before else [change]

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
        return {"installed": home is not None, "home": home, "to_do": []}

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts of the folder."""
        for path in sorted(self._folder.glob("*.jsonl")):
            if since is None or datetime.fromtimestamp(path.stat().st_mtime, UTC) >= since:
                yield path

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the rows `{"id", "session", "by", "text"}`; a user's row begins a turn."""
        turn: Turn | None = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                message = Message(row["id"], Speaker(row["by"]), row["text"])
            except (ValueError, KeyError, TypeError):
                yield Problem(where=f"{path}:{number}", what="This is no row of a transcript; mend it.")
                continue
            if turn and message.by is Speaker.USER:
                yield turn
                turn = None
            turn = turn or Turn(self.name, row["session"], message.id, ())
            turn = dataclasses.replace(turn, messages=(*turn.messages, message))
        if turn:
            yield turn

    def _write(self, key: str, value: Any) -> list[str]:
        """Set a key, or remove it where the value is None; return what was changed."""
        change = self._with(key, value)
        if change.after == change.before:
            return []
        if change.after is None:
            self._settings.unlink()
        else:
            self._settings.write_bytes(change.after)
        return [f"Changed the key {key} in {self._settings}."]

    def _with(self, key: str, value: Any) -> FileChange:
        """Return what becomes of the settings where a key is set."""
        content = self._settings.read_bytes() if self._settings.exists() else None
        before = self._read()
        after = json.loads(
            json.dumps({name: each for name, each in {**before, key: value}.items() if each is not None})
        )
        written = json.dumps(after).encode("utf-8") if after else None
        return FileChange(self._settings, content, content if after == before else written)

    def _read(self) -> dict[str, Any]:
        """Return the settings. Raises InvalidInput."""
        if not self._settings.exists():
            return {}
        try:
            settings: dict[str, Any] = json.loads(self._settings.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InvalidInput(f"{self._settings} is no valid settings file ({error}); mend it first.") from None
        return settings
