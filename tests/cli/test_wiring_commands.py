"""setup, unset, pause and status as a user runs them, with a coding agent that a plugin knows."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.cli.actions.differences import is_own, named
from hardwon.kernel.harness import FileChange

PLUGIN = """
import os
from pathlib import Path
from hardwon.kernel.hookspecs import hookimpl
from hardwon.testing.fakes import FakeHarness

@hookimpl
def register_harnesses(register):
    register("fake", FakeHarness(Path(os.environ["HOME"]) / ".fake"))
"""
Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def settings(environment: dict[str, str]) -> Path:
    """Return the settings of the coding agent."""
    folder = Path(environment["HOME"]) / ".fake"
    folder.mkdir()
    (folder / "settings.json").write_text('{"theme": "dark"}', encoding="utf-8")
    return folder / "settings.json"


@pytest.fixture
def hardwon(tmp_path: Path, environment: dict[str, str], program: Program, install_plugin: Any) -> Program:
    """Return the program with the plugin."""
    install_plugin(tmp_path / "site", "hardwon-fake", {"fake": "fake_plugin"}, {"fake_plugin": PLUGIN})
    environment |= {"PYTHONPATH": str(tmp_path / "site"), "HARDWON_LOAD_PLUGINS": "fake"}
    return program


def typed(arguments: list[str], environment: Mapping[str, str], keys: str) -> tuple[str, str]:
    """Run the program at a terminal where a person types something; return what they are asked and told."""
    master, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "hardwon.cli", *arguments],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
        env={**environment, "TERM": "dumb"},
    ) as process:
        os.close(terminal)
        os.write(master, keys.encode())
        seen = b""
        try:
            while part := os.read(master, 4096):
                seen += part
        except OSError:  # the other end is closed
            pass
        assert process.stdout is not None
        told = process.stdout.read()
        assert process.wait(60) == 0, seen
    os.close(master)
    return seen.decode("utf-8", "replace"), told.decode("utf-8")


def test_a_change_is_shown_before_it_is_made(hardwon: Program, settings: Path, environment: dict[str, str]) -> None:
    """As a unified diff, and nothing is made until somebody agrees: not by a dry run, not where nobody can answer."""
    for arguments in (["--dry-run"], []):
        done = hardwon("setup", *arguments)
        assert done.returncode == 0, done.stderr
        assert '-{"theme": "dark"}' in done.stdout
        assert '"hardwon": ' in done.stdout
        assert settings.read_text(encoding="utf-8") == '{"theme": "dark"}'
        assert not Path(environment["HARDWON_HOME"]).exists()


def test_setup_and_unset_at_a_terminal(hardwon: Program, settings: Path, environment: dict[str, str]) -> None:
    """A person is asked and their answer counts; what they agreed to is taken back exactly."""
    asked, _ = typed(["setup"], environment, "n\n")
    assert "Make this change? [y/N]" in asked
    assert settings.read_text(encoding="utf-8") == '{"theme": "dark"}'
    typed(["setup"], environment, "y\n")
    assert environment["HARDWON_HOME"] in settings.read_text(encoding="utf-8")
    assert (Path(environment["HARDWON_HOME"]) / "hook" / "hook").is_file()

    again = hardwon("setup")
    assert "connected already" in again.stdout
    assert "disconnected" in hardwon("unset").stdout
    assert settings.read_text(encoding="utf-8") == '{"theme": "dark"}'
    nothing = hardwon("unset").stdout
    assert "No coding agent is connected" in nothing
    assert "The memory stays" in nothing


def test_unset_tells_a_program_the_truth(hardwon: Program, settings: Path, answer: Callable[..., Any]) -> None:
    """Nothing is connected any more, and no memory stays where there is none."""
    assert "The memory stays" not in hardwon("unset").stdout
    hardwon("setup", "--yes")
    told = answer("unset")
    assert told["exists"]
    assert [each["wired"] for each in told["harnesses"]] == [False]


@pytest.mark.parametrize("name", ["skills/hardwon-recall/SKILL.md", "plugins/hardwon/index.mjs", "plugins/hardwon.js"])
def test_files_of_hardwons_own_are_named_and_not_shown(tmp_path: Path, name: str) -> None:
    """Two thousand lines of them would hide what happens to the user's settings, also of a user called hardwon."""
    assert named(FileChange(tmp_path / name, None, b"a\nb\n")) == f"made: `{tmp_path / name}` (2 lines)"
    assert is_own(FileChange(tmp_path / name, None, b""))
    assert not is_own(FileChange(Path("/home/hardwon/.claude/settings.json"), None, b""))


def test_setup_offers_what_was_learned_before(hardwon: Program, settings: Path, answer: Callable[..., Any]) -> None:
    """Past sessions, and files of the project that may hold lessons; looking at them changes nothing."""
    (settings.parent / "session.jsonl").write_text("{}\n", encoding="utf-8")
    project = settings.parent.parent / "shop"
    (project / "CLAUDE.md").write_text("# Lessons\n", encoding="utf-8")
    done = hardwon("setup", "--yes")
    assert "hardwon import --from fake --dry-run" in done.stdout
    assert f"hardwon import {project / 'CLAUDE.md'} --dry-run" in done.stdout
    told = answer("setup", "--yes")
    assert told["past_sessions"] == {"fake": 1}
    assert told["harnesses"][0]["changes"] == []


def test_past_sessions_can_be_looked_at_at_once(hardwon: Program, settings: Path, environment: dict[str, str]) -> None:
    """A person is asked; what they look at is not taken."""
    row = {
        "id": "1",
        "session": "s",
        "by": "user",
        "text": "Remember: always run the tests with --tz=UTC, or they fail.",
    }
    (settings.parent / "session.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    asked, told = typed(["setup"], environment, "y\ny\n")
    assert "Look now at what 1 past session would teach?" in asked
    assert "--tz=UTC" in told
    assert "Memories: none yet" in hardwon("status").stdout


def test_a_broken_settings_file_fails_loudly(hardwon: Program, settings: Path) -> None:
    """And is left as it is, by setup and by unset."""
    settings.write_text("{ broken", encoding="utf-8")
    for command in (["setup", "--yes"], ["unset"]):
        done = hardwon(*command)
        assert done.returncode == 1
        assert "no valid settings file" in done.stdout
        assert settings.read_text(encoding="utf-8") == "{ broken"
    assert "no valid settings file" in hardwon("status").stdout


def test_without_any_plugin_it_says_how_to_install_one(program: Program, environment: dict[str, str]) -> None:
    done = program("setup")
    assert "pip install" in done.stdout
    assert not Path(environment["HARDWON_HOME"]).exists()


def test_an_unknown_agent_is_named_with_those_that_there_are(hardwon: Program, settings: Path) -> None:
    done = hardwon("setup", "cursor")
    assert done.returncode == 1
    assert "there are: fake" in done.stderr


def test_purge_removes_the_memory_when_somebody_agrees(
    hardwon: Program, settings: Path, environment: dict[str, str]
) -> None:
    """And disconnects all first; it stays without a yes, and when an agent cannot be disconnected."""
    home = Path(environment["HARDWON_HOME"])
    assert hardwon("unset", "--purge", "--yes").returncode == 1
    hardwon("setup", "--yes")
    hardwon("remember", "Write to a temporary file.", "--global")
    assert "--yes" in hardwon("unset", "--purge").stdout
    assert home.is_dir()
    hardwon("setup", "--yes")
    settings.write_text("{ broken", encoding="utf-8")
    assert hardwon("unset", "--purge", "--yes").returncode == 1
    assert home.is_dir()
    settings.write_text('{"theme": "dark"}', encoding="utf-8")
    assert "was removed" in hardwon("unset", "fake", "--purge", "--yes").stdout
    assert not home.exists()


def test_status_tells_of_agents_and_pauses(hardwon: Program, settings: Path, answer: Callable[..., Any]) -> None:
    """Installed but not connected, connected, paused; the project that one stands in is named by a point."""
    assert "Fake (fake): installed, not connected (`hardwon setup fake`)" in hardwon("status").stdout
    hardwon("setup", "--yes")
    assert "Fake (fake): connected, nothing captured yet" in hardwon("status").stdout
    paused = answer("pause", "--for", "2h", "--project", ".")["paused"]
    assert [(each["harness"], each["project"]) for each in paused] == [
        (None, answer("status")["project"]),
    ]
    assert "Paused in every coding agent and project" in hardwon("status").stdout
    data = json.loads((Path(answer("status")["home"]) / "hook" / "data.json").read_text(encoding="utf-8"))
    assert data["paused"] == paused
    assert answer("pause", "--off")["paused"] == []
    assert hardwon("pause", "--off", "--for", "1h").returncode == 2
    assert hardwon("pause", "--harness", "cursor").returncode == 1


def test_a_pause_that_would_hold_nowhere_or_longer_than_meant_is_none(
    hardwon: Program, settings: Path, answer: Callable[..., Any]
) -> None:
    """A folder with a slip in its name, and a time that a script left empty."""
    hardwon("setup", "--yes")
    for wrong in (["--project", "../customre"], ["--project", "~/customre"], ["--for", ""]):
        assert hardwon("pause", *wrong).returncode in (1, 2)
    assert answer("status")["paused"] == []


def test_a_line_of_a_megabyte_is_not_shown_whole(hardwon: Program, settings: Path) -> None:
    """A minified file holds other people's secrets beside our change."""
    settings.write_text(json.dumps({"token": "s3cret", "pad": "x" * 5000, "theme": "dark"}), encoding="utf-8")
    done = hardwon("setup", "--dry-run")
    assert "s3cret" not in done.stdout
    assert '"hardwon": ' in done.stdout
