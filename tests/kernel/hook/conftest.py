"""A home with the hook program in it, run as a harness runs it: a process of the bare interpreter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.use_cases.hook_program import assembled

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


@dataclass
class Wired:
    """A home that `setup` wired."""

    home: Path
    folder: Path
    """Where the agent works."""
    data: dict[str, Any] = field(default_factory=dict)

    def write_data(self, **changes: Any) -> None:
        """Write what the hook program goes by."""
        self.data |= changes
        (self.home / "hook" / "data.json").write_text(json.dumps(self.data), encoding="utf-8")

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
        result = subprocess.run(
            self.command, input=payload, env=kept | environment, capture_output=True, check=False, timeout=30
        )
        assert (result.returncode, result.stderr) == (0, b"")
        return result

    def said(self, payload: bytes, **environment: str) -> str:
        """Return the text that an event is answered with; empty for silence."""
        output = self.run(payload, **environment).stdout
        return str(json.loads(output)["said"]["text"]) if output else ""

    def records(self) -> list[Mapping[str, Any]]:
        """Return what is in the spool."""
        return [json.loads(path.read_bytes()) for path in sorted((self.home / "spool").glob("*.json"))]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the program as it is assembled without a store, compiled once."""
    folder = tmp_path_factory.mktemp("hook")
    (folder / "hook").write_text(assembled([]), encoding="utf-8")
    subprocess.run([PYTHON, "-I", "-S", str(folder / "hook")], stdin=subprocess.DEVNULL, check=True, timeout=60)
    return folder


@pytest.fixture
def wired(tmp_path: Path, program: Path) -> Wired:
    """Return a home in which one harness is wired, and a folder that is a project."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "version").write_text("1\n", encoding="ascii")
    shutil.copytree(program, home / "hook")
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    made = Wired(home, folder)
    made.write_data(
        format=1,
        worker=[],
        worker_lock="capture.lock",
        reader=None,
        config=None,
        settings=dict(SETTINGS),
        paused=[],
        projects={},
        names={},
        names_stamp=None,
        harnesses={"tester": json.loads(json.dumps(TABLE))},
    )
    return made
