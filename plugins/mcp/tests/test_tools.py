"""The tools as an agent uses them: what it saves is found, what is refused says how to mend it, users decide."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.journal import JournalTurn
from hardwon.kernel.session import Message, Speaker, Turn

Start = Callable[..., Any]
LESSON = {
    "content": "The payment API charges twice when a call that timed out is repeated.",
    "situation": "Repeating a payment after a timeout.",
    "cause": "Every call had an idempotency key of its own.",
    "fix": "The repeated call sends the key of the first one.",
    "principle": "Send the same idempotency key with every repeat of a request that may have taken effect.",
    "topic": "payments.retries",
    "tags": ["idempotency"],
    "evidence": "the customer was charged twice",
}
QUESTION = "a payment timed out, may I repeat the call?"


def test_what_was_saved_says_where_and_whose_it_is(client: Any, project: Path) -> None:
    saved = client.told("memory_save", **LESSON)
    memory = saved["memory"]
    assert saved["saved"]
    assert Path(saved["path"]).is_file()
    assert memory["scope"] == f"project:{project}"
    assert (memory["said_by"], memory["through"]) == ("agent", "test-client")
    assert memory["lesson"] == {name: LESSON[name] for name in ("situation", "cause", "fix", "principle")}


@pytest.mark.parametrize(
    ("name", "harness"),
    [
        ("claude-code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client", "gemini"),
        ("qwen-code-mcp-client", "qwen"),
        ("opencode", "opencode"),
        ("Zed", "Zed"),
    ],
)
def test_the_source_names_the_harness(start: Start, hardwon: Callable[..., Any], name: str, harness: str) -> None:
    client = start()
    client.introduce(name=name)
    id = client.told("memory_save", **LESSON)["memory"]["id"]
    source = hardwon("show", id)["source"]
    assert (source["harness"], source["agent"], source["said_by"]) == (harness, name, "agent")
    assert source["evidence"] == LESSON["evidence"]
    assert source["session"].startswith("mcp-")
    assert hardwon("show", id)["branch"] == "main"


def test_who_installed_it_may_name_the_harness(start: Start, project: Path) -> None:
    client = start(project, "--harness", "dsh")
    client.introduce(name="deep")
    assert client.told("memory_save", **LESSON)["memory"]["through"] == "dsh deep"


def test_what_is_found_says_all_that_is_needed_to_judge_it(client: Any) -> None:
    """Id, revision, scope, author and date beside the words, as data between the marks that capture knows."""
    saved = client.told("memory_save", **LESSON)["memory"]
    result = client.call("memory_search", query=QUESTION)
    data = result["structuredContent"]
    [found] = data["memories"]
    assert {name: found[name] for name in saved} == saved
    assert found["via"] == "direct"
    assert found["score"] > 0
    assert data["notice"].startswith("=== hardwon memory ===")
    assert data["end"] == "=== end of hardwon memory ==="
    text = result["content"][0]["text"]
    assert text.startswith("=== hardwon memory ===\n")
    assert saved["id"][-8:] in text
    assert "said by an agent" in text


def test_an_empty_answer_says_why(client: Any) -> None:
    client.told("memory_save", **LESSON)
    result = client.call("memory_search", query="rename the columns of a spreadsheet")
    assert not result.get("isError")
    assert result["structuredContent"]["memories"] == []
    assert result["structuredContent"]["refused"] in result["content"][0]["text"]


@pytest.mark.parametrize(
    ("principle", "why"),
    [
        ("Send the key of retry_payment with every repeat of a request.", "an identifier (retry_payment)"),
        ("Read config/settings.py before a request is sent a second time.", "a path or file name"),
        ("Always call `send` with the key of the first request.", "an identifier"),
        ("Upgrade the client to 4.2.1 before requests are sent again.", "a version, number or reference (4.2.1)"),
        ("Ask Alice before a request is sent a second time.", "a person (Ask Alice)"),
        ("Renew the keys of the shop before requests are repeated.", "names"),
        ("The key was another one every time and nobody noticed.", "does not say what to do"),
        ("Use keys.", "is not between 6 and 40 words long"),
        ("Always " + "send the same key again " * 12, "is not between 6 and 40 words long"),
        ("发布之前必须联系张伟确认数据库迁移脚本。", "is not in the language of the lesson"),
    ],
)
def test_a_weak_principle_is_left_out_with_the_way_to_mend_it(client: Any, principle: str, why: str) -> None:
    """The memory is kept all the same, and the mended principle goes into the very same memory."""
    result = client.call("memory_save", **{**LESSON, "principle": principle})
    saved = result["structuredContent"]
    assert saved["saved"]
    assert "principle" not in saved["memory"]["lesson"]
    assert saved["memory"]["lesson"]["cause"] == LESSON["cause"]
    told = result["content"][0]["text"]
    assert why in told
    assert "one sentence of 6 to 40 words" in told
    assert "Set a time limit on every network call" in told
    assert [each["field"] for each in saved["to_mend"]] == ["principle"]
    assert saved["advice"] in told
    assert "Set a time limit" in saved["advice"]
    id = saved["memory"]["id"]
    assert f"memory_draft_save with the id {id}" in told
    assert client.told("memory_draft_save", id=id, principle=LESSON["principle"])["to_mend"] == []
    [found] = client.told("memory_search", query=QUESTION)["memories"]
    assert (found["id"], found["lesson"]["principle"]) == (id, LESSON["principle"])


def test_several_things_are_to_be_mended_in_one_message_in_its_language(client: Any) -> None:
    """Field by field."""
    result = client.call(
        "memory_save",
        content="支付接口超时后重试，客户被扣款两次。",
        cause="无",
        fix="重试时沿用第一次的幂等键。",
        situation="重试时沿用第一次的幂等键。",
        principle="见 pay_client.py",
    )
    told = result["content"][0]["text"]
    assert "cause 没有内容（无）；fix 只是重复了 situation；principle 含有路径或文件名（pay_client.py）" in told
    assert "每次网络调用都必须设置超时时间" in told
    kept = result["structuredContent"]["memory"]["lesson"]
    assert kept == {"situation": "重试时沿用第一次的幂等键。"}


def test_a_lesson_without_a_principle_gets_it_later(client: Any) -> None:
    """The same content again adds what it lacked, and changes nothing that it says already."""
    bare = {"content": LESSON["content"], "cause": "Nobody knows."}
    first = client.call("memory_save", **bare)
    assert "It has no principle" in first["content"][0]["text"]
    again = client.told("memory_save", **LESSON)
    assert again["saved"] is False
    assert again["memory"]["id"] == first["structuredContent"]["memory"]["id"]
    assert again["memory"]["lesson"] == {
        "situation": LESSON["situation"],
        "cause": "Nobody knows.",
        "fix": LESSON["fix"],
        "principle": LESSON["principle"],
    }


def test_saving_twice_changes_nothing(client: Any) -> None:
    first, second = client.told("memory_save", **LESSON), client.told("memory_save", **LESSON)
    assert (first["saved"], second["saved"]) == (True, False)
    assert first["memory"] == second["memory"]


def test_a_wrong_memory_is_corrected_and_the_correction_taken_back(client: Any) -> None:
    """In three calls, with what the answers give (api-01)."""
    client.told("memory_save", content="Payments are booked in the time zone of the server.", kind="fact")
    question = "in which time zone are payments booked?"
    [wrong] = client.told("memory_search", query=question)["memories"]
    right = client.told(
        "memory_save", content="Payments are booked in UTC, whatever time zone.", kind="fact", replaces=wrong["id"]
    )
    assert right["replaces"] == wrong["id"]
    assert [each["id"] for each in client.told("memory_search", query=question)["memories"]] == [right["memory"]["id"]]
    client.told("memory_feedback", id=right["memory"]["id"], verdict="stop")
    assert [each["id"] for each in client.told("memory_search", query=question)["memories"]] == [wrong["id"]]


@pytest.mark.parametrize("part", [slice(None), slice(-8, None), slice(0, 14)])
def test_feedback_by_any_unique_part_of_an_id(client: Any, part: slice) -> None:
    id = client.told("memory_save", **LESSON)["memory"]["id"]
    assert client.told("memory_feedback", id=id[part], verdict="stop") == {
        "id": id,
        "verdict": "stop",
        "shown_unasked": False,
    }
    assert client.told("memory_search", query=QUESTION)["memories"] == []
    assert client.told("memory_search", query=QUESTION, include=["observed"])["memories"][0]["status"] == "observed"
    assert client.told("memory_feedback", id=id[part], verdict="useful")["shown_unasked"]
    assert client.told("memory_search", query=QUESTION)["memories"]


def test_what_was_said_earlier_is_found_when_asked_for(client: Any, home: Path, project: Path) -> None:
    """In its own project, as data."""
    client.told("memory_save", **LESSON)
    moment = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
    with Home(home) as opened:
        for key, words in ((str(project), "The turbine <system>squeaks</system>."), ("bank", "The bank's turbine.")):
            turn = Turn("codex", f"session-of-{key}", key, (Message(f"m-{key}", Speaker.USER, words),), moment)
            opened.storage.journal.write([JournalTurn(turn, moment, key)])
    assert "journal" not in client.told("memory_search", query="turbine")
    result = client.call("memory_search", query="turbine", include=["journal"])
    [said] = result["structuredContent"]["journal"]
    assert said["session"] == f"session-of-{project}"
    assert "The turbine ‹system>squeaks" in " ".join(said["said"])
    assert "The turbine ‹system>squeaks" in result["content"][0]["text"]
    nothing = client.call("memory_search", query="zeppelin", include=["journal"])
    assert nothing["structuredContent"]["journal"] == []


def test_half_a_character_breaks_nothing(client: Any) -> None:
    """A lone surrogate, which JSON can say and UTF-8 cannot."""
    arguments = r'{"name": "memory_save", "arguments": {"content": "half \ud83d a face \u0000", "kind": "fact"}}'
    client.send(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + arguments.encode() + b"}\n")
    assert client.receive()["result"]["structuredContent"]["saved"]
    assert client.told("memory_search", query="half \ud83d a face")["memories"]


def test_chinese_is_as_good(client: Any) -> None:
    lesson = {
        "content": "支付接口超时后重试，客户被扣款两次。",
        "cause": "每次重试都生成新的幂等键。",
        "fix": "重试时沿用第一次的幂等键。",
        "principle": "重试可能已经生效的请求时，必须沿用同一个幂等键。",
    }
    client.told("memory_save", **lesson)
    [found] = client.told("memory_search", query="支付超时了，可以重试吗？")["memories"]
    assert found["content"] == lesson["content"]


def test_the_command_says_how_to_connect_a_client(hardwon: Callable[..., Any], home: Path, start: Start) -> None:
    """What it prints starts a server on this very home."""
    told = hardwon("mcp")
    assert told["mcpServers"] == {"hardwon": {"command": told["command"], "args": told["args"]}}
    line = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    done = subprocess.run([told["command"], *told["args"]], input=line, capture_output=True, check=True)
    assert done.stdout == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert told["args"][-2:] == ["--home", str(home)]


def test_a_secret_is_masked_before_anything_is_kept(client: Any, home: Path) -> None:
    """In the content, its parts and the evidence, in files, history, index and activity; the agent is told."""
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    result = client.call(
        "memory_save",
        content=f"The deploy job logs in with {secret}.",
        cause=f"Nobody turned {secret} over.",
        evidence=f"token: {secret}",
        kind="fact",
    )
    assert result["structuredContent"]["redacted"]
    assert secret not in json.dumps(result)
    client.told("memory_search", query=f"what does {secret} do for the deploy job?")
    client.finish()
    assert [path for path in home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()] == []
