"""Any settings file that a user may have comes back byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hardwon_command_hooks.hook_command import guarded
from hardwon_command_hooks.settings_parts import CommandHooks, McpServer
from hardwon_command_hooks.wired_files import JsonSettings
from hardwon_command_hooks.wiring import Wiring

THEIRS = {"hooks": [{"type": "command", "command": "say done"}]}


def wiring(path: Path) -> Wiring:
    hooks = CommandHooks(
        "some", {"SessionStart": 5, "Stop": 5}, lambda home: guarded(f"python '{home}/hook/hook' some")
    )
    server = McpServer(lambda home: ["python", "-m", "hardwon_mcp", "--home", str(home)])
    return Wiring("some", [JsonSettings(path, (hooks, server))])


values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(),
    lambda inner: some.lists(inner, max_size=2) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
users_hooks = some.dictionaries(
    some.sampled_from(["SessionStart", "Stop", "PreToolUse"]), some.lists(some.just(THEIRS) | values, max_size=2)
)


@settings(deadline=None)
@given(
    some.dictionaries(some.text(max_size=8), values, max_size=3),
    some.none() | users_hooks,
    some.none() | some.dictionaries(some.text(max_size=5), some.just({"command": "x"}), max_size=2),
    some.sampled_from([None, 1, 2, 4, "\t"]),
    some.sampled_from(["\n", "\r\n"]),
    some.sampled_from(["", "\n", "\n\n"]),
    some.booleans(),
)
def test_any_file_comes_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, others, hooks, servers, indent, line_end, end, bom
) -> None:
    """Whatever stands in it and however it is laid out; nothing but ours is added meanwhile."""
    folder = tmp_path_factory.mktemp("any")
    content: dict[str, Any] = {**others}
    content |= {} if hooks is None else {"hooks": hooks}
    content |= {} if servers is None else {"mcpServers": {k: v for k, v in servers.items() if k != "hardwon"}}
    text = json.dumps(content, indent=indent, ensure_ascii=False).replace("\n", line_end) + end
    before = (b"\xef\xbb\xbf" if bom else b"") + text.encode("utf-8")
    path = folder / "settings.json"
    path.write_bytes(before)
    wiring(path).install(folder / "home")
    wired = json.loads(path.read_text(encoding="utf-8-sig"))
    assert {key: wired[key] for key in others} == others
    wiring(path).uninstall(folder / "home")
    assert path.read_bytes() == before


some_word = some.sampled_from(["-m", "hardwon_mcp", "--home", "/home/you/memory"])


@settings(deadline=None)
@given(some.dictionaries(some.sampled_from(["command", "args"]), some.lists(some_word | values) | values))
def test_a_server_of_our_name_in_any_form_is_looked_at(tmp_path_factory: pytest.TempPathFactory, server: Any) -> None:
    """It names a home, or none; `status` goes on."""
    path = tmp_path_factory.mktemp("any") / "settings.json"
    path.write_text(json.dumps({"mcpServers": {"hardwon": server}}), encoding="utf-8")
    part = McpServer(lambda home: None)
    home = Wiring("some", [JsonSettings(path, (part,))]).home()
    assert home is None or str(home) in server["args"]
