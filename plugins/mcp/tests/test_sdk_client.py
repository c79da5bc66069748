"""The client of the official SDK, in the era of the handshake and in the newest, finds a server as it should be."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

mcp = pytest.importorskip("mcp", minversion=None, reason="the SDK is a development dependency")
from mcp import Client, StdioServerParameters  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402
from mcp.types import ListRootsResult, Root  # noqa: E402

MODES = ("legacy", "auto", "2026-07-28")
Connect = Callable[..., Any]


@pytest.fixture
def connect(command: list[str], project: Path, environment: dict[str, str]) -> Connect:
    """Return a function that opens a client of the SDK; `roots` are the folders that it offers."""

    @contextlib.asynccontextmanager
    async def opened(mode: str, roots: list[Path] | None = None, folder: Path = project) -> AsyncIterator[Client]:
        async def list_roots(_context: Any) -> ListRootsResult:
            return ListRootsResult(roots=[Root(uri=root.as_uri()) for root in roots or []])  # type: ignore[arg-type]

        parameters = StdioServerParameters(command=command[0], args=command[1:], env=environment, cwd=folder)
        offered = {"list_roots_callback": list_roots} if roots is not None else {}
        async with Client(parameters, mode=mode, read_timeout_seconds=60, **offered) as client:  # type: ignore[arg-type]
            yield client

    return opened


def run(work: Callable[[], Awaitable[None]]) -> None:
    anyio.run(work)


def data_of(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    return dict(result.structured_content)


@pytest.mark.parametrize("mode", MODES)
def test_saved_and_found(connect: Connect, mode: str) -> None:
    """Lists, calls, resources and prompts all pass the SDK's own validation."""

    async def work() -> None:
        async with connect(mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert "memory_search" in names
            assert "memory_review_decide" not in names
            saved = data_of(await client.call_tool("memory_save", {"content": "The lock of the report job is held."}))
            found = data_of(await client.call_tool("memory_search", {"query": "who holds the lock of the report job?"}))
            id = saved["memory"]["id"]
            assert [each["id"] for each in found["memories"]] == [id]
            uris = [str(each.uri) for each in (await client.list_resources()).resources]
            assert uris == ["hardwon://rules", "hardwon://review"]
            assert len((await client.list_resource_templates()).resource_templates) == 1
            read = await client.read_resource(f"hardwon://memory/{id}")
            assert "The lock of the report job" in read.contents[0].text
            assert len((await client.list_prompts()).prompts) == 4
            prompt = await client.get_prompt("recall", {"question": "who holds the lock?"})
            assert "who holds the lock?" in prompt.messages[0].content.text

    run(work)


def test_it_speaks_the_newest_revision_to_who_can(connect: Connect) -> None:
    async def work() -> None:
        for mode, spoken in (("auto", "2026-07-28"), ("legacy", "2025-11-25")):
            async with connect(mode) as client:
                assert client.session.protocol_version == spoken

    run(work)


@pytest.mark.parametrize("mode", MODES)
def test_the_clients_folder_decides_the_project(connect: Connect, tmp_path: Path, mode: str) -> None:
    """Whatever folder the server was started in; in the newest revision by asking back in an answer."""
    blog = tmp_path / "blog"
    blog.mkdir()

    async def work() -> None:
        async with connect(mode, roots=[blog]) as client:
            saved = data_of(await client.call_tool("memory_save", {"content": "Posts are dated in UTC."}))
            assert saved["memory"]["scope"] == f"project:{blog}"
        async with connect(mode) as client:
            found = data_of(await client.call_tool("memory_search", {"query": "Posts are dated in UTC"}))
            assert found["memories"] == []
            with pytest.raises(MCPError, match="no memory"):
                await client.read_resource(f"hardwon://memory/{saved['memory']['id']}")

    run(work)


@pytest.mark.parametrize("mode", MODES)
def test_errors_are_results_that_say_what_to_do(connect: Connect, mode: str) -> None:
    async def work() -> None:
        async with connect(mode) as client:
            result = await client.call_tool("memory_search", {})
            assert result.is_error
            assert result.content[0].text == "“query” is missing; give it."
            with pytest.raises(MCPError):
                await client.call_tool("memory_erase", {})

    run(work)


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_words_what_waits_and_mends_what_it_is_told(connect: Connect, mode: str) -> None:
    """Taken, drafted weakly, told what to mend, and kept; the memory itself was never lost."""
    weak, sound = "The report_job held it.", "Release a lock on every path out of a job, also after an error."

    async def work() -> None:
        async with connect(mode) as client:
            lesson = {"content": "The lock of the report job was held for ever.", "principle": weak}
            saved = data_of(await client.call_tool("memory_save", lesson))
            id = saved["memory"]["id"]
            assert "lesson" not in saved["memory"]
            assert id in saved["advice"]
            [waits] = data_of(await client.call_tool("memory_draft_next", {"limit": 5}))["work"]
            assert (waits["id"], waits["present"]) == (id, weak)
            refused = await client.call_tool("memory_draft_save", {"id": id, "principle": weak})
            assert refused.is_error
            assert "holds an identifier (report_job)" in refused.content[0].text
            kept = data_of(await client.call_tool("memory_draft_save", {"id": id, "principle": sound}))
            assert kept["kept"] == {"principle": sound}
            assert data_of(await client.call_tool("memory_draft_next", {}))["work"] == []

    run(work)


def test_many_calls_at_once(connect: Connect) -> None:
    async def work() -> None:
        async with connect("legacy") as client:
            done = []

            async def save(number: int) -> None:
                content = f"Fact number {number} of many."
                done.append(data_of(await client.call_tool("memory_save", {"content": content, "kind": "fact"})))

            async with anyio.create_task_group() as group:
                for number in range(12):
                    group.start_soon(save, number)
            assert len({each["memory"]["id"] for each in done}) == 12

    run(work)
