"""How long a client waits for the MCP server's list of tools, beside a bare interpreter and servers made with the SDK.

`python tests/benchmarks/bench_mcp.py [ROUNDS]`. All are measured in one run, turn by turn, in fresh processes with warm
bytecode: from the start of the process until the answer to `tools/list` is read. What is not installed (FastMCP is no
dependency) is left out. Then the first and the second search on a home of a few memories, which open and find
everything. The target for the list is twice a bare interpreter that imports what a JSON-RPC loop needs.
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS = 21
TARGET = 2.0
BARE = "import json, threading"
LOW_LEVEL = """
import anyio, mcp_types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def listed(_context, _params):
    return mcp_types.ListToolsResult(tools=[mcp_types.Tool(name="search", input_schema={"type": "object"})])

async def main():
    server = Server("bare", on_list_tools=listed)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(main)
"""
HIGH_LEVEL = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("bare")

@server.tool()
def search(query: str) -> str:
    "Search."
    return query

server.run()
"""
FASTMCP = """
from fastmcp import FastMCP
server = FastMCP("bare")

@server.tool
def search(query: str) -> str:
    "Search."
    return query

server.run(show_banner=False)
"""
OPENING = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "clientInfo": {"name": "bench", "version": "1"},
            "capabilities": {},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


def call(id: int, tool: str, **arguments: str) -> dict[str, object]:
    """Return a request that calls a tool."""
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def times(command: list[str], folder: Path, *messages: dict[str, object]) -> list[float]:
    """Return the seconds from the start of a server to the answer to `tools/list`, and for each message after it."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in OPENING))
    process.stdin.flush()
    process.stdout.readline()
    answers = [process.stdout.readline()]
    taken = [time.perf_counter() - begun]
    for message in messages:
        begun = time.perf_counter()
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        answers.append(process.stdout.readline())
        taken.append(time.perf_counter() - begun)
    process.stdin.close()
    process.wait()
    process.stdout.close()
    assert all(b'"result"' in answer for answer in answers), answers
    return taken


def bare(folder: Path) -> float:
    """Return the seconds of an interpreter that does nothing."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-P", "-c", BARE], cwd=folder, check=True)
    return time.perf_counter() - begun


def candidates(folder: Path, home: Path) -> dict[str, Callable[[], float]]:
    """Return what is compared, by name."""
    ours = [sys.executable, "-P", "-m", "hardwon_mcp", "--home", str(home)]
    found: dict[str, Callable[[], float]] = {
        f"python -c '{BARE}'": lambda: bare(folder),
        "hardwon_mcp": lambda: times(ours, folder)[0],
    }
    for name, module, source in (
        ("mcp, the low-level server", "mcp", LOW_LEVEL),
        ("mcp, MCPServer", "mcp", HIGH_LEVEL),
        ("fastmcp", "fastmcp", FASTMCP),
    ):
        if importlib.util.find_spec(module):
            command = [sys.executable, "-P", "-c", source]
            found[name] = lambda command=command: times(command, folder)[0]  # type: ignore[misc]
    return found


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["HARDWON_NO_BACKGROUND"] = "1"
    with tempfile.TemporaryDirectory() as scratch:
        folder, home = Path(scratch) / "shop", Path(scratch) / "home"
        (folder / ".git").mkdir(parents=True)
        measured = candidates(folder, home)
        for run in measured.values():
            run()
        taken: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(rounds):
            for name, run in measured.items():
                taken[name].append(run())
        baseline = [statistics.median(next(iter(taken.values()))), min(next(iter(taken.values())))]
        for name, each in taken.items():
            median, shortest = statistics.median(each), min(each)
            print(
                f"{name:34} median {median * 1000:6.0f} ms, {median / baseline[0]:5.1f} x   "
                f"shortest {shortest * 1000:6.0f} ms, {shortest / baseline[1]:5.1f} x"
            )
        print(f"target: hardwon_mcp at most {TARGET} x\n")
        ours = [sys.executable, "-P", "-m", "hardwon_mcp", "--home", str(home)]
        times(ours, folder, call(3, "memory_save", content="The lock of the report job.", kind="fact"))
        asked = [call(number, "memory_search", query="who holds the lock?") for number in (3, 4)]
        searches = [times(ours, folder, *asked)[1:] for _ in range(max(3, rounds // 3))]
        for name, each in zip(("first search", "second search"), zip(*searches, strict=True), strict=True):
            print(f"{name:34} median {statistics.median(each) * 1000:6.0f} ms")


if __name__ == "__main__":
    main()
