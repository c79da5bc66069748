"""A scripted OpenAI-compatible server on loopback: what it does with each request, a test says beforehand."""

from __future__ import annotations

import gc
import json
import threading
import warnings
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from hardwon.generalizer.language_models.litellm_model import LiteLLMModel
from hardwon.kernel.settings import LanguageModelSettings

Behaviour = Callable[["_Handler"], None]
USAGE = {
    "prompt_tokens": 2_300,
    "completion_tokens": 12,
    "total_tokens": 2_312,
    "prompt_tokens_details": {"cached_tokens": 2_176},
}


@pytest.fixture(autouse=True)
def left_behind() -> Iterator[None]:
    """Take away what litellm leaves open (an event loop, its sockets), lest a later test of others finds it."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


class ScriptedServer:
    """Answers each request by the next behaviour, and the last one for ever."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.behaviours: list[Behaviour] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.script = self
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def next(self, body: dict[str, Any], headers: dict[str, str]) -> Behaviour:
        with self._lock:
            self.asked.append(body)
            self.headers.append(headers)
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    script: ScriptedServer

    def handle_error(self, *_: Any) -> None:
        """Say nothing of a client that went away: that is what these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self.server.script.next(body, {name.lower(): value for name, value in self.headers.items()})(self)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def says(text: str | None, finish: str = "stop", **message: Any) -> Behaviour:
    """Answer with these words."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": USAGE}
    return lambda handler: handler.send(200, json.dumps(whole).encode())


def refuses(status: int, message: str = "no", **headers: str) -> Behaviour:
    """Answer with an error."""
    content = json.dumps({"error": {"message": message, "type": "error", "code": status}}).encode()
    return lambda handler: handler.send(status, content, headers)


def sends_on(status: int, address: str) -> Behaviour:
    """Answer that somebody else is to be asked."""
    return lambda handler: handler.send(status, b"", {"location": address})


def sends(content: bytes) -> Behaviour:
    """Answer with these bytes."""
    return lambda handler: handler.send(200, content)


def never_answers(handler: _Handler) -> None:
    """Accept, and never answer."""
    handler.server.script.closing.wait(120)


def trickles(handler: _Handler) -> None:
    """Send headers, and then a byte now and then for ever."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000000")
    handler.end_headers()
    while not handler.server.script.closing.wait(0.1):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def hangs_up(handler: _Handler) -> None:
    """Close the connection without an answer."""
    handler.close_connection = True
    handler.connection.close()


BEHAVIOURS = {
    "says": says,
    "refuses": refuses,
    "sends": sends,
    "sends_on": sends_on,
    "never_answers": never_answers,
    "trickles": trickles,
    "hangs_up": hangs_up,
}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()
    yield scripted
    scripted.close()


@pytest.fixture
def behave(server: ScriptedServer) -> Callable[..., None]:
    """Return a function that sets what the server does: names of behaviours, each with its arguments."""

    def run(*behaviours: Any) -> None:
        server.behaviours = [
            BEHAVIOURS[each] if isinstance(each, str) else BEHAVIOURS[each[0]](*each[1:]) for each in behaviours
        ]

    return run


@pytest.fixture
def settings(server: ScriptedServer) -> LanguageModelSettings:
    return LanguageModelSettings(model="openai/scripted", api_base=server.address, timeout=30)


@pytest.fixture
def model(settings: LanguageModelSettings) -> LiteLLMModel:
    return LiteLLMModel(settings)
