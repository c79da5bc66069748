"""Trusting Codex's hooks as its own screen `/hooks` does it: through the app server's JSON-RPC."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.workplace import Workplace

ANSWER_LIMIT = 30.0
"""Seconds that the server may take to end after its input is closed."""


class AppServer:
    """A running `codex app-server`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._number = 0

    def call(self, method: str, **parameters: Any) -> Any:
        """Call a method and return its result. Raises RuntimeError with what the server said instead."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
        raise RuntimeError(f"{method}: the app server ended")


@contextmanager
def app_server(place: Workplace) -> Iterator[AppServer]:
    """Run the app server for as long as the block lasts."""
    with subprocess.Popen(
        ["codex", "app-server"],
        cwd=place.home,
        env=place.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        server = AppServer(process)
        try:
            server.call("initialize", clientInfo={"name": "hardwon-tests", "title": "hardwon tests", "version": "1"})
            yield server
        finally:
            process.terminate()
            process.wait(ANSWER_LIMIT)


def hooks(server: AppServer, folder: Path) -> list[dict[str, Any]]:
    """Return the hooks that Codex knows in this folder, each with its `trustStatus`."""
    listed = server.call("hooks/list", cwds=[str(folder)])
    return [hook for each in listed["data"] for hook in each["hooks"]]


def trust_hooks(place: Workplace) -> int:
    """Trust every hook that there is now; return how many."""
    with app_server(place) as server:
        found = hooks(server, place.home)
        state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in found}
        edit = {"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}
        server.call("config/batchWrite", edits=[edit])
        return len(found)
