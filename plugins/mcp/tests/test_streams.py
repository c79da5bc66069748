"""Standard output carries the protocol and nothing else, whatever is loaded, printed, started or broken (mcp-01)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., Any]
NOISE = """
import ctypes, logging, os, subprocess, sys, warnings
print("a plugin was loaded")
sys.stdout.write("more\\n"); sys.stdout.flush()
os.write(1, b"written past Python\\n")
subprocess.run([sys.executable, "-c", "print('a child')"], check=True)
libc = ctypes.CDLL(None); libc.puts(b"from C"); libc.fflush(None)
warnings.warn("a warning")
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG)
logging.getLogger("noisy").warning("logged")
assert sys.stdin.read() == "", "the client's words are not for plugins"
assert subprocess.run(["cat"], capture_output=True, check=True).stdout == b""
"""


@pytest.fixture
def noisy(tmp_path: Path) -> dict[str, str]:
    """Return the environment in which a plugin makes noise of every kind."""
    folder = tmp_path / "packages"
    metadata = folder / "noisy-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: noisy\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[hardwon]\nnoisy = noisy\n", encoding="utf-8")
    (folder / "noisy.py").write_text(NOISE, encoding="utf-8")
    return {
        "PYTHONPATH": str(folder),
        "HARDWON_LOAD_PLUGINS": "mcp,noisy",
        "LOG_LEVEL": "debug",
        "PYTHONWARNINGS": "always",
    }


def test_noise_goes_to_standard_error(start: Start, project: Path, noisy: dict[str, str]) -> None:
    client = start(project, also=noisy)
    client.introduce()
    client.told("memory_save", content="It rained.", kind="fact")
    client.told("memory_search", query="did it rain?")
    assert client.finish() == 0
    assert client.left() == []
    for heard in (b"a plugin was loaded", b"written past Python", b"a child", b"from C", b"a warning", b"logged"):
        assert heard in client.errors


def test_a_failing_store_is_an_answer(start: Start, home: Path, project: Path) -> None:
    """The index is a folder, the settings are nonsense, the home is a file: one sentence each, and it goes on."""
    client = start()
    client.introduce()
    client.told("memory_save", content="It rained.", kind="fact")
    (home / "config.toml").write_text("store = ", encoding="utf-8")
    assert "config.toml" in client.refused("memory_search", query="rain")
    (home / "config.toml").write_text('store = "none such"', encoding="utf-8")
    assert "none such" in client.refused("memory_search", query="rain")
    (home / "config.toml").unlink()
    assert client.told("memory_search", query="did it rain?")["memories"]
    assert client.finish() == 0
    assert client.left() == []


def test_a_spoiled_index_breaks_no_line_of_the_protocol(start: Start, home: Path) -> None:
    """Whatever becomes of the question, its answer is an answer, and the next start finds all again."""
    client = start()
    client.introduce()
    client.told("memory_save", content="It rained on the turbine.", kind="fact")
    for index in home.glob("index-*"):
        index.write_bytes(b"no database" * 1000)
    assert "content" in client.call("memory_search", query="did it rain on the turbine?")
    assert client.finish() == 0
    assert client.left() == []
    client = start()
    client.introduce()
    assert client.told("memory_search", query="did it rain on the turbine?")["memories"]


def test_where_nothing_was_made_yet_searching_says_so(start: Start, home: Path) -> None:
    """And makes nothing."""
    client = start()
    client.introduce()
    assert "There is no memory at" in client.refused("memory_search", query="rain")
    assert "error" in client.request("resources/read", {"uri": "hardwon://rules"})
    assert not home.exists()


def test_without_standard_error_it_works_as_well(command: list[str], environment: dict[str, str]) -> None:
    script = 'exec "$@" 2>&-'
    line = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}\n'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *command], env=environment, input=line, stdout=subprocess.PIPE, check=True
    )
    assert done.stdout.count(b"\n") == 1


def test_where_standard_error_is_closed_no_file_takes_its_place(tmp_path: Path) -> None:
    """What a library tells there would be written into the store."""
    script = (
        "import os; from hardwon_mcp.streams import claim_streams; streams = claim_streams()\n"
        f"file = os.open({str(tmp_path / 'store')!r}, os.O_RDWR | os.O_CREAT)\n"
        "os.write(2, b'a complaint'); os.system('echo a complaint >&2')\n"
        "streams.send([file > 2, os.fstat(file).st_size])"
    )
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-P", "-c", _with_path(script)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=True,
    )
    assert done.stdout == b"[true,0]\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_without_a_pipe_there_is_nothing_to_do(command: list[str], environment: dict[str, str], closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *command], env=environment, stdin=subprocess.DEVNULL
    )
    assert done.returncode in (0, 1)


def test_nothing_heavy_is_imported_before_the_first_call() -> None:
    """A client that waits for its list of tools waits for little more than the interpreter."""
    script = (
        "import hardwon_mcp.__main__, hardwon_mcp.conversation, hardwon_mcp.session, hardwon_mcp.streams\n"
        "hardwon_mcp.definitions.offered_tools('/nowhere')\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", _with_path(script)], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    heavy = {"typing", "pathlib", "dataclasses", "inspect", "argparse", "logging", "asyncio", "pydantic", "pluggy"}
    assert loaded & heavy == set()
    assert {name for name in loaded if name.startswith("hardwon.")} == set()


def _with_path(script: str) -> str:
    folder = Path(__file__).resolve().parent.parent
    return f"import sys; sys.path.insert(0, {str(folder)!r})\n{script}"
