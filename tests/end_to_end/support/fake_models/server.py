"""A fake model on loopback: it keeps every request, makes the calls it was told to make, and then says its words."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from support.fake_models.wire import Asked, Body, Event, Say, Use, Wire

WORDS = "Noted. (The fake model says no more.)"


@dataclass(frozen=True)
class Call:
    """A call to make as soon as a tool with such a name is offered."""

    tool: str
    """How the tool's name ends."""
    arguments: Mapping[str, Any]


class FakeModel:
    """One model. `with FakeModel(wire, record) as model:` answers for as long as the block lasts."""

    def __init__(self, wire: Wire, record: Path) -> None:
        self.wire = wire
        self.asked: list[Asked] = []
        self._record = record
        self._calls: list[Call] = []
        self._made = 0
        self._words = WORDS
        self._lock = threading.Lock()
        self._server = _Server(self)

    def __enter__(self) -> FakeModel:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        """Return the URL that the harness is told."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def script(self, calls: Sequence[Call] = (), words: str = WORDS) -> None:
        """Say what the next turn is: calls in their order, then words. What was asked before is forgotten."""
        with self._lock:
            self.asked.clear()
            self._calls = list(calls)
            self._words = words

    @property
    def turns(self) -> list[Asked]:
        """Return the requests of the agent itself: those that offer tools; a title is asked for without."""
        with self._lock:
            return [asked for asked in self.asked if asked.tools]

    def answer(self, path: str, body: Body) -> Say | Use:
        """Keep a request and choose the answer to it."""
        asked = Asked(path, body, tuple(self.wire.tools(body)))
        with self._lock, self._record.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"path": path, "body": body}, ensure_ascii=False) + "\n")
            self.asked.append(asked)
            tool = asked.offers(self._calls[0].tool) if self._calls else None
            if tool is None:
                return Say(self._words)
            self._made += 1
            return Use(tool, self._calls.pop(0).arguments, self._made)


class _Server(ThreadingHTTPServer):
    """A server that knows whose words it carries."""

    daemon_threads = True

    def __init__(self, model: FakeModel) -> None:
        self.model = model
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    """One connection: HTTP in, the model's answer out."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        model = self.server.model
        if not model.wire.asks(self.path):
            return self._send_json(model.wire.other(self.path))
        whole = model.wire.whole(body, model.answer(self.path, body))
        if model.wire.streams(self.path, body):
            return self._send_events(model.wire.stream(whole))
        return self._send_json(whole)

    def do_GET(self) -> None:
        self._send_json(self.server.model.wire.other(self.path))

    def do_HEAD(self) -> None:
        self._send(b"", "application/json")

    def log_message(self, *_: Any) -> None:
        """Say nothing: what was asked is in the record."""

    def _send_json(self, value: Any) -> None:
        self._send(json.dumps(value).encode(), "application/json")

    def _send_events(self, events: Iterable[Event]) -> None:
        self._send("".join(map(_written, events)).encode(), "text/event-stream")

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _written(event: Event) -> str:
    """Return a server-sent event as it goes over the wire."""
    data = event.data if isinstance(event.data, str) else json.dumps(event.data)
    return (f"event: {event.name}\n" if event.name else "") + f"data: {data}\n\n"
