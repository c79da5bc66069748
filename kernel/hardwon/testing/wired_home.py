"""A home with the hook program in it, run as a coding agent runs it: a process of the bare interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.hook.data import FILE
from hardwon.kernel.use_cases.hook_program import write_hook

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

PYTHON = str(getattr(sys, "_base_executable", sys.executable))
TABLE: dict[str, Any] = {
    "title": "Tester",
    "events": {"Start": "session-start", "Prompt": "prompt", "Stop": "turn-end", "End": "session-end"},
    "fields": {
        "event": "event",
        "session": "session.id",
        "folder": "cwd",
        "transcript": "transcript",
        "prompt": "prompt",
        "turn": "turn",
        "source": "source",
        "messages": "messages",
        "subagent": "agent_id",
    },
    "answers": {"Start": {"said": {"event": "Start", "text": "$text"}}, "Prompt": {"said": {"text": "$text"}}},
    "limit": 9000,
    "capture": True,
    "recall": True,
    "subagents": False,
}
SETTINGS = {"limit": 8, "budget": 800, "session_budget": 400, "deadline": 10.0, "language": "en"}
"""A long deadline: what a test waits for is not to depend on how busy the machine is."""
LONGEST = 30.0
"""Seconds after which a test gives a process up."""


@dataclass
class WiredHome:
    """A home that `setup` wired."""

    home: Path
    folder: Path
    """Where the agent works."""
    data: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, home: Home, folder: Path) -> WiredHome:
        """Return an open home as `setup` leaves it, with one harness that is the tester's."""
        write_hook(home)
        wired = cls(home.path, folder, json.loads((home.path / FILE).read_text(encoding="utf-8")))
        wired.write_data(harnesses={"tester": json.loads(json.dumps(TABLE))}, settings=dict(SETTINGS), worker=[])
        return wired

    def write_data(self, **changes: Any) -> None:
        """Write what the hook program goes by."""
        self.data |= changes
        (self.home / FILE).write_text(json.dumps(self.data), encoding="utf-8")

    @property
    def command(self) -> list[str]:
        """Return how a harness starts the program."""
        return [PYTHON, "-I", "-S", str(self.home / "hook" / "hook"), "tester"]

    def event(self, name: str, **fields: Any) -> bytes:
        """Return a payload."""
        common = {"event": name, "session": {"id": "s1"}, "cwd": str(self.folder), "turn": "t1"}
        return json.dumps(common | fields).encode()

    def run(self, payload: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
        """Serve one event; whatever it is, the program ends with 0 and says nothing beside its answer."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "HARDWON_NO_BACKGROUND")}
        result = subprocess.run(  # noqa: S603 - our own program
            self.command, input=payload, env=kept | environment, capture_output=True, check=False, timeout=LONGEST
        )
        assert result.returncode == 0
        assert result.stderr == b""
        return result

    def said(self, payload: bytes, **environment: str) -> str:
        """Return the text that an event is answered with; empty for silence."""
        output = self.run(payload, **environment).stdout
        return str(json.loads(output)["said"]["text"]) if output else ""

    def records(self) -> list[Mapping[str, Any]]:
        """Return what is in the spool."""
        return [json.loads(path.read_bytes()) for path in sorted((self.home / "spool").glob("*.json"))]
