"""A person and their agents at work on one memory, at once: nothing acknowledged is lost, and nobody meets an error.

`python everyone_at_once.py STORE FOLDER SECONDS`: two MCP servers that stay, the command line, consolidation and the
hook program of five sessions (which starts the background worker), each with something to write about once a second.
An error is what reaches a user as one: an exit code, a tool that refuses. Prints as JSON how
often each acted, the slowest of each in seconds, every error, and what was acknowledged and is not there. By hand:

    nice python tests/journeys/everyone_at_once.py sqlite /tmp/everyone 600
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stores_killed import prepared_home, running_server

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter

SESSIONS = 5
PATIENCE = 600.0
"""Seconds that one call may take before the run is given up."""
PAUSE = 1.0
"""Seconds between the starts of two calls of one actor."""
QUESTION = "how is the payment repeated after a timeout?"


class Everyone:
    """The actors, what they were told, and what went wrong."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.home = folder / "home"
        self._user = folder / "user"
        self.project = folder / "user" / "shop"
        self.project.mkdir(parents=True, exist_ok=True)
        self._until = time.monotonic() + seconds
        self._environment = {**os.environ, "HOME": str(self._user), "HARDWON_HOME": str(self.home)}
        self.counts: Counter[str] = Counter()
        self.slowest: dict[str, float] = defaultdict(float)
        self.errors: list[str] = []
        self.acknowledged: set[str] = set()
        self.said: set[str] = set()

    def run(self) -> None:
        """Let everyone act until the time is over, then let the worker finish."""
        self._program("setup", "claude-code", "--yes")
        actors = [self._command_line, self._consolidation, *[self._server] * 2]
        sessions = [lambda name=f"s-{number}": self._session(name) for number in range(SESSIONS)]
        threads = [threading.Thread(target=self._guarded, args=(each,)) for each in (*actors, *sessions)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._program("consolidate", "--json")
        self._program("doctor", "--json")

    def _guarded(self, actor: Callable[[], None]) -> None:
        try:
            actor()
        except Exception as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    def _each_second(self, what: str, act: Callable[[int], None], pause: float = PAUSE) -> None:
        number = 0
        while (began := time.monotonic()) < self._until:
            act(number)
            number += 1
            took = time.monotonic() - began
            self.counts[what] += 1
            self.slowest[what] = max(self.slowest[what], round(took, 2))
            time.sleep(max(0.0, pause - took))

    def _program(self, *arguments: str) -> str:
        return self._called([sys.executable, "-P", "-m", "hardwon.cli", *arguments])

    def _called(self, command: list[str], given: str = "") -> str:
        """Return what a program printed; an exit code is an error."""
        done = subprocess.run(
            command,
            check=False,
            input=given,
            capture_output=True,
            encoding="utf-8",
            env=self._environment,
            cwd=self.project,
            timeout=PATIENCE,
        )
        if done.returncode:
            self.errors.append(f"{' '.join(command[-3:])}: {done.returncode} {done.stderr[:300]}{done.stdout[:300]}")
        return done.stdout

    def _command_line(self) -> None:
        def act(number: int) -> None:
            if number % 3 == 2:
                self._program("recall", QUESTION, "--json")
                return
            told = self._program("remember", f"Command {number}: repeat payment {number} with one key.", "--json")
            self.acknowledged.add(json.loads(told)["id"])

        self._each_second("command line", act)

    def _consolidation(self) -> None:
        def act(_number: int) -> None:
            self._program("consolidate", "--json")

        self._each_second("consolidation", act, pause=5.0)

    def _session(self, name: str) -> None:
        """Act as one session of a harness: a prompt, and the end of its turn."""
        transcript = self._user / f"{name}.jsonl"
        hook = [sys.executable, "-I", "-S", str(self.home / "hook" / "hook"), "claude-code"]

        def act(number: int) -> None:
            said = f"Remember: session {name} repeats payment {number} with the key of the first call."
            row = {"sessionId": name, "cwd": str(self.project), "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ")}
            rows = [
                {**row, "type": "user", "uuid": f"{name}-u{number}", "message": {"role": "user", "content": said}},
                {**row, "type": "assistant", "uuid": f"{name}-a{number}",
                 "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}},
            ]  # fmt: skip
            with transcript.open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(each)}\n" for each in rows)
            payload = {"session_id": name, "transcript_path": str(transcript), "cwd": str(self.project)}
            prompt = {**payload, "hook_event_name": "UserPromptSubmit", "prompt": QUESTION}
            self._called(hook, json.dumps(prompt))
            self._called(hook, json.dumps({**payload, "hook_event_name": "Stop", "stop_hook_active": False}))
            self.said.add(said)

        self._each_second("sessions", act)

    def _server(self) -> None:
        """Act as an agent with an MCP server of its own."""
        command = [sys.executable, "-P", "-m", "hardwon_mcp", "--home", str(self.home), "--harness", "claude-code"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment, cwd=self.project
        ) as server:
            agent = Agent(server)

            def act(number: int) -> None:
                self._tool(agent, "memory_search", query=QUESTION)
                told = self._tool(
                    agent, "memory_save", content=f"Server {server.pid} repeats payment {number} with one key."
                )
                if told:
                    self.acknowledged.add(told["memory"]["id"])

            self._each_second("servers", act)
            server.stdin.close()  # type: ignore[union-attr]

    def _tool(self, agent: Agent, name: str, **arguments: Any) -> dict[str, Any] | None:
        answer = agent.request("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer or answer["result"].get("isError"):
            self.errors.append(f"{name}: {json.dumps(answer)[:400]}")
            return None
        told: dict[str, Any] = answer["result"]["structuredContent"]
        return told

    def lost(self) -> list[str]:
        """Return what was acknowledged, or captured by the hook program, and is nowhere."""
        with Home(self.home) as home:
            kept = {entry.id for entry in home.storage.memories.scan(Filter(statuses=None))}
            journal = home.storage.journal
            texts = " ".join(
                block.said for session in journal.sessions() for block in journal.of_session(session.session)
            )
        return sorted(self.acknowledged - kept) + sorted(each for each in self.said if each not in texts)


class Agent:
    """A client that writes to and reads from a server's pipes."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        self._server = server
        self._number = 0
        information = {"name": "claude-code", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": information})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._server.stdout
        while True:
            answer: dict[str, Any] = json.loads(self._server.stdout.readline())
            if answer.get("id") == self._number:
                return answer

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin
        self._server.stdin.write(json.dumps(message).encode() + b"\n")
        self._server.stdin.flush()


def main(store: str, folder: Path, seconds: float) -> None:
    """Let everyone act; print what came of it."""
    with running_server(store) as server:
        prepared_home(store, folder / "home", server)
        everyone = Everyone(folder, seconds)
        everyone.run()
        told = {
            "acts": dict(everyone.counts),
            "slowest": dict(everyone.slowest),
            "acknowledged": len(everyone.acknowledged),
            "said": len(everyone.said),
            "waiting": len(spool.waiting(str(everyone.home))),
            "lost": everyone.lost(),
            "errors": everyone.errors,
        }
    print(json.dumps(told, indent=1, ensure_ascii=False))
    if told["lost"] or told["errors"]:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
