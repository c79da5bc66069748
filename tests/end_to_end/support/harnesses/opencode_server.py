"""OpenCode as a server on loopback, for what its command line cannot do: to compact a session."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

from support.workplace import Workplace

MODEL = {"providerID": "fake", "modelID": "fake-model"}
LIMIT = 60.0
"""Seconds that one answer may take."""
_LISTENS = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")


class Server:
    """One session in a folder. `with Server(place, folder) as server:` ends the program with it."""

    def __init__(self, place: Workplace, folder: Path) -> None:
        self._process = subprocess.Popen(
            ["opencode", "serve", "--port", "0"],
            cwd=folder,
            env=place.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )

    def __enter__(self) -> Server:
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if listens := _LISTENS.search(line):
                self._address = listens[1]
                self._session = self._post("/session", {})["id"]
                return self
        raise OSError(f"opencode serve ended: {''.join(said)[-300:]}")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def ask(self, prompt: str) -> None:
        """Have one turn."""
        parts = [{"type": "text", "text": prompt}]
        self._post(f"/session/{self._session}/message", {"parts": parts, "model": MODEL})

    def compact(self) -> None:
        """Have the history replaced by a summary."""
        self._post(f"/session/{self._session}/summarize", MODEL)

    def _post(self, path: str, body: Any) -> Any:
        content, headers = json.dumps(body).encode(), {"content-type": "application/json"}
        request = urllib.request.Request(self._address + path, content, headers)
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            return json.loads(answer.read())
