"""OpenCode's adapter keeps the promises of every adapter, and its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.ports import HarnessAdapter
from hardwon.testing.conformance.harness import HarnessAdapterConformance
from hardwon_opencode.adapter import OpenCode
from hardwon_opencode.settings import SCHEMA

PAYLOAD = {"event": "prompt", "session": "ses_1", "folder": "/home/you/project", "prompt": "时区?", "turn": "msg_1"}
EXPORT = Path(__file__).parent / "fixtures" / "transcript.export.json"
SETTINGS = """{
    // mine
    "autoupdate": false, "mcp": {"other": {"type": "remote", "url": "https://example.org"}},
    "model": "some/model",
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that OpenCode is configured in, with an empty home beside it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("OPENCODE_CONFIG_DIR", str(tmp_path / "opencode"))
    return tmp_path / "opencode"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "memory home"


class TestOpenCode(HarnessAdapterConformance):
    @pytest.fixture
    def configuration(self, folder: Path) -> Path:
        (folder / "plugins").mkdir(parents=True)
        (folder / "plugins" / "mine.js").write_text("export const Mine = async () => ({})\n", encoding="utf-8")
        (folder / "opencode.jsonc").write_text(SETTINGS, encoding="utf-8")
        return folder

    @pytest.fixture
    def adapter(self, folder: Path) -> HarnessAdapter:
        return OpenCode()

    @pytest.fixture
    def transcript(self, tmp_path: Path) -> Path:
        """Return the recorded export on one line, as a row that stands among damaged ones."""
        path = tmp_path / "export.json"
        path.write_text(json.dumps(json.loads(EXPORT.read_bytes())) + "\n", encoding="utf-8")
        return path

    @pytest.fixture
    def payload(self) -> Mapping[str, Any]:
        return PAYLOAD


def test_what_it_writes(folder: Path, home: Path) -> None:
    """The plugin with its modules, which home they are for, and the MCP server in the settings."""
    assert OpenCode().install(home)

    data = json.loads((folder / "plugins/hardwon/data.json").read_text(encoding="utf-8"))
    assert data["home"] == str(home)
    assert data["command"][1:] == ["-I", "-S", str(home / "hook/hook"), "opencode"]
    settings = json.loads((folder / "opencode.json").read_text(encoding="utf-8"))
    assert settings["$schema"] == SCHEMA  # else OpenCode would write it, and the file would not be ours any more
    server = settings["mcp"]["hardwon"]
    assert (server["type"], server["enabled"]) == ("local", True)
    assert server["command"][-4:] == ["--home", str(home), "--harness", "opencode"]
    assert [path.name for path in (folder / "plugins").glob("*.js")] == ["hardwon.js"]
    command = (folder / "command" / "hardwon-remember.md").read_text(encoding="utf-8")
    assert command.startswith("---\ndescription: ")
    assert "$ARGUMENTS" in command


@pytest.mark.parametrize("name", ["opencode.json", "opencode.jsonc"])
@pytest.mark.parametrize(
    "text", ["{}", "", '{"mcp": {}}', SETTINGS, '{"$schema": "x"}\n', '\ufeff{\r\n\t"a": 1\r\n}\r\n']
)
def test_settings_come_back_byte_for_byte(folder: Path, home: Path, name: str, text: str) -> None:
    folder.mkdir()
    path = folder / name
    path.write_bytes(text.encode())
    OpenCode().install(home)
    assert path.read_bytes() != text.encode()
    OpenCode().uninstall(home)

    assert path.read_bytes() == text.encode()
    assert list(folder.iterdir()) == [path]


def test_nothing_is_left_where_nothing_was(folder: Path, home: Path) -> None:
    OpenCode().install(home)
    OpenCode().uninstall(home)

    assert not folder.exists()


def test_what_opencode_wrote_since_stays(folder: Path, home: Path) -> None:
    """OpenCode puts its schema into settings without one, and installs packages beside the plugins."""
    folder.mkdir()
    (folder / "opencode.json").write_text('{ "autoupdate": false }', encoding="utf-8")
    OpenCode().install(home)
    text = (folder / "opencode.json").read_text(encoding="utf-8")
    (folder / "opencode.json").write_text(text.replace("{", f'{{\n  "$schema": "{SCHEMA}",', 1), encoding="utf-8")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    OpenCode().uninstall(home)

    assert (folder / "opencode.json").read_text(
        encoding="utf-8"
    ) == f'{{\n  "$schema": "{SCHEMA}", "autoupdate": false }}'
    assert sorted(path.name for path in folder.iterdir()) == ["opencode.json", "package.json"]


def test_settings_that_appear_later_do_not_hide_the_wired_ones(folder: Path, home: Path) -> None:
    folder.mkdir()
    (folder / "opencode.jsonc").write_text("{}", encoding="utf-8")
    OpenCode().install(home)
    (folder / "opencode.json").write_text('{"model": "x"}', encoding="utf-8")

    assert OpenCode().install(home) == []
    OpenCode().uninstall(home)
    assert (folder / "opencode.jsonc").read_text(encoding="utf-8") == "{}"
    assert (folder / "opencode.json").read_text(encoding="utf-8") == '{"model": "x"}'


def test_a_server_of_somebody_else_keeps_our_name(folder: Path, home: Path) -> None:
    folder.mkdir()
    text = '{"mcp": {"hardwon": {"type": "remote", "url": "https://example.org"}}}'
    (folder / "opencode.json").write_text(text, encoding="utf-8")
    OpenCode().install(home)

    assert (folder / "opencode.json").read_text(encoding="utf-8") == text


def test_where_it_is_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", "/home/you")
    for name in ("OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert OpenCode().folder() == Path("/home/you/.config/opencode")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/elsewhere")
    assert OpenCode().folder() == Path("/elsewhere/opencode")


@pytest.mark.parametrize("command", [["-m", "hardwon_mcp", "--home"], ["-m", "hardwon_mcp", "--home", 5], 5, "-m"])
def test_a_server_that_names_no_home_names_none(folder: Path, command: object) -> None:
    """Whatever a person made of our server, `status` goes on."""
    folder.mkdir()
    (folder / "opencode.json").write_text(json.dumps({"mcp": {"hardwon": {"command": command}}}), encoding="utf-8")
    assert OpenCode().status()["home"] is None
