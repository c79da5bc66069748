"""Wiring a harness whose hooks and MCP servers stand in one JSON file: the user's file is the user's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput, NewerFormat
from hardwon_command_hooks.hook_command import home_of
from hardwon_command_hooks.wired_files import OwnFile
from hardwon_command_hooks.wiring import Wiring

from .conftest import THEIRS, USERS, command, read, settings, wire


def test_ours_stands_beside_theirs(file: Path, home: Path) -> None:
    """In a group of its own, once in each event, with a time-out; theirs first."""
    wire(file).install(home)
    wired = read(file)
    ours = {"type": "command", "command": command(home), "timeout": 5}
    assert wired["hooks"] == {"Stop": [THEIRS, {"hooks": [ours]}], "SessionStart": [{"hooks": [ours]}]}
    assert set(wired["mcpServers"]) == {"other", "hardwon"}
    assert home_of(command(home), "some") == home
    assert wire(file).home() == home


def test_what_a_user_changes_later_stays(file: Path, home: Path) -> None:
    """Taken out is ours alone, also from a group that they put something of theirs into."""
    wire(file).install(home)
    changed = read(file)
    changed["theme"] = "dark"
    changed["hooks"]["Stop"][1]["hooks"].append({"type": "command", "command": "mine"})
    file.write_text(json.dumps(changed), encoding="utf-8")
    wire(file).uninstall(home)
    assert read(file) == {
        **USERS,
        "theme": "dark",
        "hooks": {"Stop": [THEIRS, {"hooks": [{"type": "command", "command": "mine"}]}]},
    }


def test_without_the_record_ours_is_taken_out_all_the_same(file: Path, home: Path) -> None:
    """Or the original: the home may have been moved, or tidied by hand."""
    for lost in ("some.json", "some/1-settings.json"):
        wire(file).install(home)
        (home / "hook" / "wiring" / lost).unlink()
        wire(file).uninstall(home)
        assert read(file) == USERS


@pytest.mark.parametrize("record", ["{", "[]", "{}", '{"format": 1, "files": {"x": 3}}'])
def test_a_record_that_cannot_be_read_is_a_sentence(file: Path, home: Path, record: str) -> None:
    """And one of a newer hardwon is left alone."""
    wire(file).install(home)
    wired = file.read_bytes()
    (home / "hook" / "wiring" / "some.json").write_text(record, encoding="utf-8")
    with pytest.raises(InvalidInput, match="move it away"):
        wire(file).uninstall(home)
    (home / "hook" / "wiring" / "some.json").write_text('{"format": 2}', encoding="utf-8")
    with pytest.raises(NewerFormat, match="upgrade hardwon"):
        wire(file).uninstall(home)
    assert file.read_bytes() == wired


def test_a_file_that_was_not_there_goes_again_unless_something_else_is_in_it(tmp_path: Path, home: Path) -> None:
    """Nobody else's settings go with it (cycodehq/cycode-cli#537)."""
    path = tmp_path / "settings.json"
    wire(path).install(home)
    wire(path).uninstall(home)
    assert not path.exists()

    wire(path).install(home)
    path.write_text(json.dumps({**read(path), "permissions": {}}), encoding="utf-8")
    wire(path).uninstall(home)
    assert read(path) == {"permissions": {}}


def test_a_home_that_was_moved_is_wired_anew(file: Path, home: Path, tmp_path: Path) -> None:
    """In the same places; unset from the new home leaves nothing of the old one."""
    before = file.read_bytes()
    wire(file).install(home)
    moved = home.rename(tmp_path / "moved")
    wire(file).install(moved)
    assert str(home) not in file.read_text(encoding="utf-8")
    assert len(read(file)["hooks"]["Stop"]) == 2
    wire(file).uninstall(moved)
    assert file.read_bytes() == before


def test_a_moved_home_can_be_taken_out_at_once(file: Path, home: Path, tmp_path: Path) -> None:
    """No settings stay wired to a place where nothing is."""
    wire(file).install(home)
    wire(file).uninstall(home.rename(tmp_path / "moved"))
    assert read(file) == USERS


def test_another_homes_wiring_is_left_alone(file: Path, home: Path, tmp_path: Path) -> None:
    wire(file).install(home)
    wired = file.read_bytes()
    assert wire(file).uninstall(tmp_path / "other") == []
    assert file.read_bytes() == wired


def test_doubled_or_misplaced_hooks_are_mended(file: Path, home: Path) -> None:
    """One of ours in each event, and none where none is wanted; a merge tool may have doubled them."""
    wire(file).install(home)
    changed = read(file)
    changed["hooks"]["Stop"] *= 2
    changed["hooks"]["PreToolUse"] = changed["hooks"]["SessionStart"]
    file.write_text(json.dumps(changed), encoding="utf-8")
    wire(file).install(home)
    ours = [hook for groups in read(file)["hooks"].values() for group in groups for hook in group["hooks"]]
    assert [hook["command"] for hook in ours].count(command(home)) == 2
    assert wire(file).changes(home) == []


def test_somebody_elses_server_of_our_name_is_left_alone(file: Path, home: Path) -> None:
    own = {**USERS, "mcpServers": {"hardwon": {"command": "their-own"}}}
    file.write_text(json.dumps(own), encoding="utf-8")
    wire(file).install(home)
    assert read(file)["mcpServers"] == own["mcpServers"]
    wire(file).uninstall(home)
    assert read(file) == own


def test_a_server_that_was_uninstalled_goes(file: Path, home: Path) -> None:
    """Setup again takes it out: a harness would wait for it at every start."""
    wire(file).install(home)
    wire(file, server=False).install(home)
    assert set(read(file)["mcpServers"]) == {"other"}


def test_a_skill_that_somebody_edited_is_theirs(tmp_path: Path, home: Path) -> None:
    """It is neither written over nor removed; one that is as we wrote it follows our text and goes with it."""
    path = tmp_path / "SKILL.md"
    Wiring("some", [settings(tmp_path / "s.json"), OwnFile(path, "one\n")]).install(home)
    newer = Wiring("some", [settings(tmp_path / "s.json"), OwnFile(path, "two\n")])
    newer.install(home)
    assert path.read_text(encoding="utf-8") == "two\n"
    path.write_text("mine\n", encoding="utf-8")
    assert newer.changes(home) == []
    newer.uninstall(home)
    assert path.read_text(encoding="utf-8") == "mine\n"


def test_a_command_whose_home_is_gone_blocks_nobody(home: Path) -> None:
    """Python ends with 2 where its file is missing, and 2 from a hook blocks the user's prompt in every harness."""
    done = subprocess.run(
        ["sh", "-c", command(home).replace("/usr/bin/python3", sys.executable)], input=b"{}", check=False
    )
    assert done.returncode == 0
