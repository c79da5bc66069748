"""The protocol as every client may speak it, well or badly: each request is answered, and nothing else is said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from hardwon_mcp.streams import LONGEST
from hardwon_mcp.versions import CAPABILITIES, CLIENT, INTRODUCED, SERVER, STATELESS, VERSION

Start = Callable[..., Any]
METHODS = ("ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list")


@pytest.mark.parametrize("wanted", INTRODUCED)
def test_the_client_chooses_the_revision(start: Start, wanted: str) -> None:
    client = start()
    result = client.introduce(wanted)
    assert result["protocolVersion"] == wanted
    assert result["serverInfo"] == {"name": "hardwon", "title": "hardwon memory", "version": version("hardwon-mcp")}
    assert set(result["capabilities"]) == {"tools", "prompts", "resources"}
    assert "memory_search" in result["instructions"]


@pytest.mark.parametrize("wanted", ["2023-01-01", "2099-01-01", "2026-07-28", "", None, 5, ["2025-06-18"]])
def test_another_revision_is_answered_with_one_that_it_may_know(start: Start, wanted: Any) -> None:
    assert start().introduce(wanted)["protocolVersion"] == INTRODUCED[-1]


def stateless(**params: Any) -> dict[str, Any]:
    meta = {VERSION: STATELESS[-1], CLIENT: {"name": "new-client", "version": "1"}, CAPABILITIES: {}}
    return {**params, "_meta": meta}


@pytest.mark.parametrize("method", ["server/discover", *METHODS])
def test_the_newest_revision_needs_no_introduction(start: Start, method: str) -> None:
    """Each of its results says that it is complete, and by whom."""
    result = start().request(method, stateless())
    assert result["resultType"] == "complete"
    assert result["_meta"][SERVER]["name"] == "hardwon"
    if method != "ping":
        assert (result["ttlMs"], result["cacheScope"]) == (0, "private")
    if method == "server/discover":
        assert set(STATELESS) <= set(result["supportedVersions"])


def test_a_revision_that_nobody_knows_is_refused_with_those_that_are(start: Start) -> None:
    params = stateless()
    params["_meta"][VERSION] = "2099-01-01"
    error = start().request("tools/list", params)["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": [*INTRODUCED, *STATELESS], "requested": "2099-01-01"}


def test_a_request_of_the_newest_revision_without_capabilities_is_refused(start: Start) -> None:
    params = stateless()
    del params["_meta"][CAPABILITIES]
    assert start().request("tools/list", params)["error"]["code"] == -32602


def test_what_it_cannot_do_it_says(client: Any) -> None:
    """Methods that it never promised, and those that nobody knows."""
    for method in ("completion/complete", "logging/setLevel", "resources/subscribe", "tools/erase", "", "a" * 1000):
        assert client.request(method)["error"]["code"] == -32601
    assert client.request("ping") == {}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"this is no JSON\n", -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method"\n', -32700),
        (b"\xff\xfe\x00\n", -32700),
        (b'{"a": "\xc3\x28"}\n', -32700),
        (b"[" * 100_000 + b"\n", -32700),
        (b"9" * 5_000 + b"\n", -32700),
        (b"[]\n", -32600),
        (b"null\n", -32600),
        (b'"text"\n', -32600),
        (b"42\n", -32600),
        (b"{}\n", -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}\n', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}\n', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}\n', -32600),
        (b'{"jsonrpc": "1.0", "id": 3, "method": "ping"}\n', -32600),
        (b'{"jsonrpc": "2.0", "id": 3, "method": 7}\n', -32600),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "ping", "params": [1]}\n', -32602),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call"}\n', -32602),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "rm"}}\n', -32602),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": "rm"}}\n', -32602),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {}}\n', -32602),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}}\n', -32002),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else str(value),
)
def test_a_wrong_message_gets_its_error_and_ends_nothing(client: Any, line: bytes, code: int) -> None:
    client.send(line)
    answer = client.receive()
    assert answer["error"]["code"] == code
    assert answer["error"]["message"]
    assert answer["id"] == (3 if b'"id": 3' in line else None)
    assert client.request("ping") == {}


def test_a_message_may_come_byte_by_byte_and_with_a_mark_before_it(client: Any) -> None:
    for byte in b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": "\xe5\x95\x8a", "method": "ping"}\r\n':
        client.send(bytes([byte]))
    assert client.receive() == {"jsonrpc": "2.0", "id": "啊", "result": {}}


def test_blank_lines_say_nothing(client: Any) -> None:
    client.send(b"\n  \r\n\n")
    assert client.request("ping") == {}


def test_the_last_message_needs_no_end_of_line(start: Start) -> None:
    client = start()
    client.send(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    assert client.finish() == 0
    assert client.left() == [b'{"jsonrpc":"2.0","id":1,"result":{}}\n']


def test_a_huge_message_is_taken_and_what_is_too_long_in_it_refused(client: Any) -> None:
    """By the argument's own limit, with a sentence that the model can act on."""
    assert "at most" in client.refused("memory_search", query="x" * 5_000_000)


def test_a_message_beyond_all_measure_is_passed_over(client: Any) -> None:
    client.send(b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "' + b"x" * LONGEST + b'"}}\n')
    assert client.receive()["error"]["code"] == -32600
    assert client.request("ping") == {}


def test_a_batch_is_answered_with_one_list(client: Any) -> None:
    """Notifications in it and answers to nobody's question get none; what is no message gets its error."""
    client.send(
        [
            {"jsonrpc": "2.0", "id": "a", "method": "ping"},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": {"name": "memory_search"}},
            {"jsonrpc": "2.0", "id": "hardwon-77", "result": {}},
            7,
        ]
    )
    answers = client.receive()
    assert {answer["id"] for answer in answers} == {"a", "b", None}
    assert len(answers) == 3
    assert client.request("ping") == {}


def test_a_batch_of_notifications_gets_no_answer(client: Any) -> None:
    client.send([{"jsonrpc": "2.0", "method": "notifications/initialized"}])
    assert client.request("ping") == {}


def test_notifications_are_never_answered(client: Any) -> None:
    for method in ("notifications/progress", "notifications/cancelled", "notifications/unheard-of", "tools/list"):
        client.send({"jsonrpc": "2.0", "method": method, "params": {"requestId": 99}})
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {"no": "id"}}})
    assert client.request("ping") == {}


def test_calls_at_once_each_get_their_own_answer(client: Any) -> None:
    client.told("memory_save", content="The report job takes the lock of the invoices for an hour.", kind="fact")
    ids = [
        client.begin("tools/call", {"name": "memory_search", "arguments": {"query": f"lock of the invoices {number}"}})
        for number in range(20)
    ]
    answers = [client.receive() for _ in ids]
    assert sorted(answer["id"] for answer in answers) == ids
    assert all(len(answer["result"]["structuredContent"]["memories"]) == 1 for answer in answers)


def test_a_call_keeps_nobody_from_an_answer_to_ping(client: Any) -> None:
    """The first call imports and opens everything; a ping that comes after it is answered before it."""
    slow = client.begin("tools/call", {"name": "memory_save", "arguments": {"content": "It rained.", "kind": "fact"}})
    quick = client.begin("ping")
    assert [client.receive()["id"], client.receive()["id"]] == [quick, slow]


def test_a_cancelled_call_gets_no_answer(client: Any) -> None:
    """Whether it ran already or waited; the others do."""
    arguments = {"name": "memory_search", "arguments": {"query": "anything"}}
    ids = [client.begin("tools/call", arguments) for _ in range(8)]
    for id in ids[:7]:
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
    assert client.receive()["id"] == ids[7]
    assert client.request("ping") == {}
    assert client.finish() == 0
    assert client.left() == []


def test_it_ends_when_the_client_closes_its_end(start: Start) -> None:
    """At once, whatever was said until then."""
    assert start().finish() == 0
    client = start()
    client.introduce()
    assert client.finish() == 0
    assert client.errors == b""


def test_calls_that_run_when_the_client_closes_its_end_are_finished(start: Start) -> None:
    """What was asked to be saved is saved, and the answer is written."""
    client = start()
    client.begin("tools/call", {"name": "memory_save", "arguments": {"content": "It rained.", "kind": "fact"}})
    assert client.finish() == 0
    [line] = client.left()
    assert json.loads(line)["result"]["structuredContent"]["saved"] is True


def test_it_ends_when_nobody_reads_its_answers(command: list[str], environment: dict[str, str]) -> None:
    reading, writing = os.pipe()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=writing)
    os.close(reading)
    os.close(writing)
    assert process.stdin
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}\n')
    process.stdin.flush()
    assert process.wait(timeout=60) == 0
    process.stdin.close()


def test_it_ends_quietly_when_it_is_interrupted(start: Start) -> None:
    client = start()
    client.introduce()
    client.process.send_signal(signal.SIGINT)
    assert client.process.wait(timeout=60) == 0


@pytest.mark.parametrize("words", [["--nonsense"], ["--home"], ["stray"]])
def test_wrong_options_are_a_sentence_and_no_protocol(start: Start, project: Path, words: list[str]) -> None:
    client = start(project, *words)
    assert client.finish() == 2
    assert client.left() == []
    assert client.errors.startswith(b"Usage: ")
