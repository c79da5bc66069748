"""A `config.toml` that holds no servers as we know them is a sentence, never a crash, and is left as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon_codex.toml_server import TomlServer

STRANGE = {
    "a number": "mcp_servers = 5\n",
    "a list": "mcp_servers = []\n",
    "a list of tables": "[[mcp_servers]]\na = 1\n",
    "deep lists": f"a = {5_000 * '['}{5_000 * ']'}\n",
    "deep tables": f"[{'.'.join(3_000 * 'a')}]\n",
}


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_it_is_told_and_left_as_it_is(text: str, tmp_path: Path) -> None:
    server = TomlServer(tmp_path / "config.toml", lambda home: ["python", "-m", "hardwon_mcp", "--home", str(home)])
    with pytest.raises(InvalidInput, match=r"config\.toml"):
        server.wired(text.encode("utf-8"), tmp_path, None)


@pytest.mark.parametrize("arguments", ['"-m"', '["-m", "hardwon_mcp", "--home"]', '["-m", "hardwon_mcp", "--home", 5]'])
def test_arguments_that_name_no_home_name_none(arguments: str, tmp_path: Path) -> None:
    server = TomlServer(tmp_path / "config.toml", lambda home: None)
    assert server.home(f"[mcp_servers.hardwon]\nargs = {arguments}\n".encode()) is None
