"""A session of one project never sees what another learned, by whatever door, and what it keeps is its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., Any]
Repository = Callable[..., Path]
SECRET = "The invoices of the bank are rounded half to even."
QUESTION = "how are the invoices of the bank rounded?"


def roots_answered(client: Any, call: int, *folders: Path | str) -> Any:
    """Answer the server's question for the roots, and return the answer to the call."""
    asked = client.receive()
    assert asked["method"] == "roots/list"
    uris = [each.as_uri() if isinstance(each, Path) else each for each in folders]
    client.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [{"uri": uri} for uri in uris]}})
    answer = client.receive()
    assert answer["id"] == call
    return answer["result"]


@pytest.fixture
def kept(start: Start, repository: Repository, tmp_path: Path) -> dict[str, Any]:
    """Return what a session in the bank's project kept."""
    client = start(repository(tmp_path / "bank", "git@example.org:acme/bank.git"))
    client.introduce()
    data = client.told("memory_save", content=SECRET, kind="fact")
    assert data["memory"]["scope"] == "project:example.org/acme/bank"
    return dict(data["memory"])


def test_its_own_project_finds_it_in_every_clone_and_below(
    start: Start, repository: Repository, tmp_path: Path, kept: dict[str, Any]
) -> None:
    clone = repository(tmp_path / "elsewhere" / "clone", "https://example.org/acme/bank")
    (clone / "src" / "deep").mkdir(parents=True)
    client = start(clone / "src" / "deep")
    client.introduce()
    assert [each["id"] for each in client.told("memory_search", query=QUESTION)["memories"]] == [kept["id"]]


@pytest.mark.parametrize("place", ["shop", "bank", "user", "/"])
def test_another_project_does_not_see_it_by_any_door(
    start: Start, repository: Repository, tmp_path: Path, kept: dict[str, Any], place: str
) -> None:
    """Another repository, another of the same name, the home directory, the root: what is not known shows nothing."""
    folder = Path("/") if place == "/" else tmp_path / "other" / place if place != "user" else tmp_path / "user"
    if place in ("shop", "bank"):
        repository(folder)
    client = start(folder)
    client.introduce()
    found = client.told("memory_search", query=QUESTION, include=["observed", "archived"])
    assert found["memories"] == []
    assert SECRET not in str(found)
    doors = [
        client.refused("memory_feedback", id=kept["id"], verdict="stop"),
        client.refused("memory_feedback", id=kept["id"][-8:], verdict="stop"),
        client.refused("memory_rule_propose", rule="Round amounts half to even in every sum.", lessons=[kept["id"]]),
        str(client.request("resources/read", {"uri": f"hardwon://memory/{kept['id']}"})["error"]),
        str(client.request("resources/read", {"uri": "hardwon://rules"})),
    ]
    assert not any("rounded" in told for told in doors)


def test_outside_of_any_project_nothing_is_kept(start: Start, tmp_path: Path) -> None:
    """Rather than for all projects: only the user makes something hold everywhere."""
    client = start(tmp_path / "user")
    client.introduce()
    assert "is no project" in client.refused("memory_save", content="It rained.")


def test_the_clients_folder_counts_and_is_asked_for_once(start: Start, tmp_path: Path, kept: dict[str, Any]) -> None:
    client = start()
    client.introduce(roots={"listChanged": True})
    call = client.begin("tools/call", {"name": "memory_search", "arguments": {"query": QUESTION}})
    found = roots_answered(client, call, tmp_path / "bank")
    assert [each["id"] for each in found["structuredContent"]["memories"]] == [kept["id"]]
    assert client.told("memory_search", query=QUESTION)["memories"]


def test_calls_at_once_ask_the_client_once(start: Start, tmp_path: Path, kept: dict[str, Any]) -> None:
    client = start()
    client.introduce(roots={})
    arguments = {"name": "memory_search", "arguments": {"query": QUESTION}}
    ids = [client.begin("tools/call", arguments) for _ in range(4)]
    asked = client.receive()
    root = {"uri": (tmp_path / "bank").as_uri()}
    client.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [root]}})
    answers = [client.receive() for _ in ids]
    assert sorted(answer["id"] for answer in answers) == ids
    assert all(answer["result"]["structuredContent"]["memories"] for answer in answers)


def test_a_client_that_changes_its_folder_is_asked_again(
    start: Start, repository: Repository, tmp_path: Path, kept: dict[str, Any]
) -> None:
    client = start()
    client.introduce(roots={"listChanged": True})
    call = client.begin("tools/call", {"name": "memory_search", "arguments": {"query": QUESTION}})
    roots_answered(client, call, tmp_path / "bank")
    client.send({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
    call = client.begin("tools/call", {"name": "memory_search", "arguments": {"query": QUESTION}})
    assert roots_answered(client, call, repository(tmp_path / "new"))["structuredContent"]["memories"] == []


@pytest.mark.parametrize(
    "roots",
    [[], ["https://example.org/x"], ["file://elsewhere/bank"], ["file:relative"], ["nonsense"], ["file:///no/\x00"]],
)
def test_roots_that_name_no_folder_here_leave_the_one_it_was_started_in(
    start: Start, tmp_path: Path, kept: dict[str, Any], roots: list[str]
) -> None:
    client = start(tmp_path / "bank")
    client.introduce(roots={})
    call = client.begin("tools/call", {"name": "memory_search", "arguments": {"query": QUESTION}})
    found = roots_answered(client, call, *roots)
    assert [each["id"] for each in found["structuredContent"]["memories"]] == [kept["id"]]


def test_of_several_folders_the_one_it_was_started_in_counts(
    start: Start, tmp_path: Path, kept: dict[str, Any], project: Path
) -> None:
    client = start(tmp_path / "bank")
    client.introduce(roots={})
    call = client.begin("tools/call", {"name": "memory_search", "arguments": {"query": QUESTION}})
    found = roots_answered(client, call, project, tmp_path / "bank")
    assert [each["id"] for each in found["structuredContent"]["memories"]] == [kept["id"]]


@pytest.mark.parametrize("answer", [{"error": {"code": -32601, "message": "no"}}, {"result": []}, {"result": {}}])
def test_a_client_that_refuses_to_say_is_where_it_was_started(
    start: Start, tmp_path: Path, kept: dict[str, Any], answer: dict[str, Any]
) -> None:
    client = start(tmp_path / "bank")
    client.introduce(roots={})
    client.begin("tools/call", {"name": "memory_search", "arguments": {"query": QUESTION}})
    client.send({"jsonrpc": "2.0", "id": client.receive()["id"], **answer})
    assert [each["id"] for each in client.receive()["result"]["structuredContent"]["memories"]] == [kept["id"]]


def test_off_means_off(start: Start, home: Path, project: Path, tmp_path: Path) -> None:
    """For a project, for a harness; what the user turned off no agent turns on by asking."""
    client = start()
    client.introduce(name="codex-mcp-client")
    client.told("memory_save", content=SECRET, kind="fact")
    for settings in (f'[projects."{project}"]', "[harnesses.codex]"):
        (home / "config.toml").write_text(f"{settings}\ncapture = false\nrecall = false\n", encoding="utf-8")
        assert "turned recall off" in client.refused("memory_search", query=QUESTION)
        assert "turned capture off" in client.refused("memory_save", content="It rained.", kind="fact")
    (home / "config.toml").unlink()
    (project / ".hardwon.toml").write_text("recall = false\n", encoding="utf-8")
    assert "turned recall off" in client.refused("memory_search", query=QUESTION)
    (project / ".hardwon.toml").unlink()
    assert client.told("memory_search", query=QUESTION)["memories"]


def test_a_pause_holds_for_the_tools_too(start: Start, home: Path, project: Path, environment: dict[str, str]) -> None:
    def hardwon(*words: str) -> None:
        command = [sys.executable, "-P", "-m", "hardwon.cli", *words, "--home", str(home)]
        subprocess.run(command, cwd=project, env=environment, capture_output=True, check=True)

    client = start()
    client.introduce()
    client.told("memory_save", content=SECRET, kind="fact")
    hardwon("pause")
    assert "turned recall off" in client.refused("memory_search", query=QUESTION)
    assert "turned capture off" in client.refused("memory_save", content="It rained.", kind="fact")
    hardwon("pause", "--off")
    assert client.told("memory_search", query=QUESTION)["memories"]
