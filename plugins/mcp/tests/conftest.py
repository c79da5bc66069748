"""A server in a process of its own, and a client that writes and reads its lines, whatever is in them."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
"""Seconds for an answer on a busy machine; nothing that works takes that long."""
NEWEST = "2025-11-25"
ENDED = object()


class Client:
    """One server process and its two pipes."""

    def __init__(self, command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.errors = b""
        self._lines: queue.Queue[Any] = queue.Queue()
        self._ids = iter(range(1, 1_000_000))
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(ENDED)

    def _read_errors(self) -> None:
        assert self.process.stderr
        self.errors = self.process.stderr.read()

    def send(self, message: Any) -> None:
        """Send a message, or bytes as they are."""
        assert self.process.stdin
        line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def receive(self) -> Any:
        """Return the next message; every line is JSON or the test fails."""
        line = self._lines.get(timeout=PATIENCE)
        assert line is not ENDED, f"the server ended: {self.finish()} {self.errors.decode()}"
        return json.loads(line)

    def begin(self, method: str, params: Any = None) -> int:
        """Send a request; return its id."""
        id = next(self._ids)
        self.send({"jsonrpc": "2.0", "id": id, "method": method} | ({"params": params} if params is not None else {}))
        return id

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request and return its result, or its error under `error`."""
        id = self.begin(method, params)
        answer = self.receive()
        assert answer["id"] == id
        return answer.get("result", answer)

    def introduce(self, version: str = NEWEST, name: str = "test-client", **capabilities: Any) -> Any:
        """Go through `initialize` and return its result."""
        info = {"name": name, "version": "1"}
        result = self.request(
            "initialize", {"protocolVersion": version, "clientInfo": info, "capabilities": capabilities}
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its result."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def told(self, tool: str, **arguments: Any) -> Any:
        """Call a tool, expect it to be done, and return its data."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool, expect it to refuse, and return the sentence."""
        result = self.call(tool, **arguments)
        assert result.get("isError"), result
        return str(result["content"][0]["text"])

    def finish(self) -> int:
        """Close our end and return the exit code."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(timeout=PATIENCE)
        for thread in self._threads:
            thread.join(timeout=PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def left(self) -> list[bytes]:
        """Return the lines that nobody received, once the server ended."""
        lines = []
        while (line := self._lines.get(timeout=PATIENCE)) is not ENDED:
            lines.append(line)
        return lines


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def repository() -> Callable[..., Path]:
    """Return a function that makes a folder a git repository, as far as knowing a project needs one."""

    def make(folder: Path, remote: str | None = None) -> Path:
        git = folder / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        config = f'[remote "origin"]\n\turl = {remote}\n' if remote else ""
        (git / "config").write_text(config, encoding="utf-8")
        return folder

    return make


@pytest.fixture
def project(tmp_path: Path, repository: Callable[..., Path]) -> Path:
    """Return a folder that is a project."""
    return repository(tmp_path / "shop")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user who has nothing else of hardwon's and lets nothing run in the background."""
    user = tmp_path / "user"
    user.mkdir()
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONDONTWRITEBYTECODE")}
    return {**kept, "HOME": str(user), "HARDWON_NO_BACKGROUND": "1", "HARDWON_LOAD_PLUGINS": "mcp"}


@pytest.fixture
def command(home: Path) -> list[str]:
    return [sys.executable, "-P", "-m", "hardwon_mcp", "--home", str(home)]


@pytest.fixture
def start(command: list[str], project: Path, environment: dict[str, str]) -> Iterator[Callable[..., Client]]:
    """Return a function that starts a server in a folder; whatever a test leaves is ended."""
    clients: list[Client] = []

    def begin(folder: Path = project, *more: str, also: Mapping[str, str] | None = None) -> Client:
        clients.append(Client([*command, *more], folder, {**environment, **(also or {})}))
        return clients[-1]

    yield begin
    for client in clients:
        if client.process.poll() is None:
            client.process.kill()
        client.finish()


@pytest.fixture
def client(start: Callable[..., Client]) -> Client:
    """Return a client that has introduced itself."""
    client = start()
    client.introduce()
    return client


@pytest.fixture
def hardwon(home: Path, project: Path, environment: dict[str, str]) -> Callable[..., Any]:
    """Return a function that runs the command line on the same home and returns its JSON."""

    def run(*words: str) -> Any:
        command = [sys.executable, "-P", "-m", "hardwon.cli", *words, "--json", "--home", str(home)]
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, encoding="utf-8", check=True)
        return json.loads(done.stdout)

    return run
