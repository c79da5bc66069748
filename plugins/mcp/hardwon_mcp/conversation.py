"""JSON-RPC as both sides speak it: requests answered in any order, batches, questions to the client, cancellation.

What takes no time is answered by the thread that reads, so that a slow call keeps nobody from an answer to `ping`.
Calls run on a few threads of their own, which are started with the first of them.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import traceback

from hardwon_mcp.messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Refusal,
    Request,
    decoded,
    error_message,
    readable_id,
    request_of,
    result_message,
)
from hardwon_mcp.streams import LONGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future, ThreadPoolExecutor
    from typing import Any

    from hardwon_mcp.streams import Streams

    Reply = Callable[[dict[str, Any] | None], None]
    """Takes the answer to a request; None where the client does not want it any more."""

THREADS = 4
GRACE = 10.0
"""Seconds in which calls may end once the client closed its end; it was told nothing yet, and a write must be whole."""
QUESTION = "hardwon-"
"""How the ids of our own questions begin."""


class Peer:
    """What a conversation asks of whoever knows the protocol."""

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Hear a notification."""

    def is_quick(self, method: str) -> bool:
        """Tell whether the reading thread may answer this itself."""
        raise NotImplementedError

    def answered(self, request: Request) -> dict[str, Any]:
        """Return the result. Raises Refusal."""
        raise NotImplementedError


class Conversation:
    """One client for as long as it stays."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._peer = Peer()
        self._pool: ThreadPoolExecutor | None = None
        self._running: dict[str | int, tuple[Request, Future[None]]] = {}
        self._questions: dict[str, _Question] = {}
        self._asked = 0
        self._lock = threading.Lock()

    def hold(self, peer: Peer) -> bool:
        """Answer the client until it closes its end; return whether every call came to its end."""
        self._peer = peer
        with contextlib.suppress(OSError):  # the client is gone
            for line in self._streams.lines():
                self._take(line)
        return self._finished()

    def ask(self, method: str, timeout: float) -> dict[str, Any] | None:
        """Ask the client something and wait, in seconds; None where it refuses or does not answer in time."""
        with self._lock:
            self._asked += 1
            id = f"{QUESTION}{self._asked}"
            question = self._questions[id] = _Question()
        self._streams.send({"jsonrpc": "2.0", "id": id, "method": method})
        question.done.wait(timeout)
        with self._lock:
            self._questions.pop(id, None)
        return question.result

    def cancel(self, id: Any) -> None:
        """Forget a request: one that waits is not begun, and the answer to one that runs is dropped."""
        found = self._running.get(id) if isinstance(id, (str, int)) else None
        if found:
            found[0].cancelled = True

    def _take(self, line: bytes | None) -> None:
        if line is None:
            told = Refusal(INVALID_REQUEST, f"This message is longer than {LONGEST} bytes; send a shorter one.")
            self._streams.send(error_message(None, told))
            return
        try:
            value = decoded(line)
        except Refusal as refusal:
            self._streams.send(error_message(None, refusal))
            return
        if isinstance(value, list):
            self._take_batch(value)
        else:
            self._take_one(value, self._reply)

    def _take_batch(self, values: list[Any]) -> None:
        """Answer a batch, as the revisions before 2025-06-18 have it, with one list."""
        if not values:
            self._streams.send(error_message(None, Refusal(INVALID_REQUEST, "This batch is empty; fill it.")))
            return
        batch = _Batch(self._streams, sum(1 for value in values if _wants_answer(value)))
        for value in values:
            self._take_one(value, batch.reply)

    def _take_one(self, value: Any, reply: Reply) -> None:
        if not isinstance(value, dict):
            reply(error_message(None, Refusal(INVALID_REQUEST, "A message is a JSON object; send one.")))
        elif "method" not in value and ("result" in value or "error" in value):
            self._take_answer(value)
        elif "id" not in value and isinstance(value.get("method"), str):
            params = value.get("params")
            self._peer.notified(value["method"], params if isinstance(params, dict) else {})
        else:
            self._take_request(value, reply)

    def _take_answer(self, value: dict[str, Any]) -> None:
        with self._lock:
            question = self._questions.get(str(value.get("id")))
        if question:
            result = value.get("result")
            question.result = result if isinstance(result, dict) else None
            question.done.set()

    def _take_request(self, value: dict[str, Any], reply: Reply) -> None:
        try:
            request = request_of(value)
        except Refusal as refusal:
            reply(error_message(readable_id(value), refusal))
            return
        if self._peer.is_quick(request.method):
            reply(self._answer(request))
            return
        with self._lock:
            future = self._threads().submit(self._work, request, reply)
            self._running[request.id] = request, future

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="call")
        return self._pool

    def _work(self, request: Request, reply: Reply) -> None:
        answer = None if request.cancelled else self._answer(request)
        with self._lock:
            self._running.pop(request.id, None)
        with contextlib.suppress(OSError):  # the client is gone, which the reading thread hears too
            reply(None if request.cancelled else answer)

    def _answer(self, request: Request) -> dict[str, Any]:
        try:
            return result_message(request.id, self._peer.answered(request))
        except Refusal as refusal:
            return error_message(request.id, refusal)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            told = Refusal(INTERNAL_ERROR, "hardwon failed on this; its standard error says where, please report it.")
            return error_message(request.id, told)

    def _reply(self, message: dict[str, Any] | None) -> None:
        if message is not None:
            self._streams.send(message)

    def _finished(self) -> bool:
        """Let the calls that run come to their end; questions to the client will not be answered any more."""
        with self._lock:
            for question in self._questions.values():
                question.done.set()
            running = [future for _, future in self._running.values()]
        if self._pool is None:
            return True
        from concurrent.futures import wait

        return not wait(running, timeout=GRACE).not_done


class _Question:
    """Something that we asked the client."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.result: dict[str, Any] | None = None


class _Batch:
    """The answers to a batch, sent together when the last one is there."""

    def __init__(self, streams: Streams, expected: int) -> None:
        self._streams = streams
        self._left = expected
        self._answers: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def reply(self, message: dict[str, Any] | None) -> None:
        """Take one answer."""
        with self._lock:
            self._left -= 1
            if message is not None:
                self._answers.append(message)
            if self._left == 0 and self._answers:
                self._streams.send(self._answers)


def _wants_answer(value: Any) -> bool:
    """Tell whether a message of a batch is answered: a request, or something that is no message at all."""
    if not isinstance(value, dict):
        return True
    if "method" not in value:
        return "result" not in value and "error" not in value
    return "id" in value or not isinstance(value["method"], str)
