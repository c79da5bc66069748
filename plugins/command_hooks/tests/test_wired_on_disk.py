"""Wired files on the disk: modes, links, full disks, and programs that write the same file at the same time."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput, Unavailable
from hardwon.kernel.harness import FileChange
from hardwon_command_hooks import wiring as wiring_module
from hardwon_command_hooks.files import replace_file
from hardwon_command_hooks.wiring_record import WiringRecord

from .conftest import USERS, read, wire


def test_mode_and_owner_stay(file: Path, home: Path) -> None:
    """Also without anything left beside the file."""
    file.chmod(0o640)
    wire(file).install(home)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == ["settings.json"]
    new = file.with_name("new.json")
    wire(new).install(home)
    assert stat.S_IMODE(new.stat().st_mode) == 0o600


def test_the_originals_are_kept_for_their_owner_alone(file: Path, home: Path) -> None:
    """Settings may hold secrets; after unset nothing of them is kept."""
    wire(file).install(home)
    (kept,) = (home / "hook" / "wiring" / "some").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    wire(file).uninstall(home)
    assert [path for path in (home / "hook").rglob("*") if path.is_file()] == []


def test_what_is_kept_is_on_the_disk_whole_or_as_it_was(
    file: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is killed or a disk that is full while it is kept anew costs nobody the original."""
    before = file.read_bytes()
    wire(file).install(home)
    record = WiringRecord(home, "some")
    kept = record.read()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            record.write(kept)
    assert record.read() == kept
    wire(file).uninstall(home)
    assert file.read_bytes() == before


def test_a_link_to_nowhere_is_followed(tmp_path: Path, home: Path) -> None:
    """Dotfiles whose target was not made yet."""
    (tmp_path / "dotfiles").mkdir()
    target, link = tmp_path / "dotfiles" / "settings.json", tmp_path / "settings.json"
    link.symlink_to(target)
    wire(link).install(home)
    assert link.is_symlink()
    assert target.is_file()
    wire(link).uninstall(home)
    assert link.is_symlink()
    assert not target.exists()


def test_what_the_harness_writes_meanwhile_is_not_lost(file: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A running harness rewrites its settings between our reading and our writing: both changes last."""
    written = []

    def beaten(change: FileChange) -> None:
        if not written:
            written.append(True)
            file.write_text(json.dumps({**USERS, "numStartups": 7}), encoding="utf-8")
        replace_file(change)

    monkeypatch.setattr(wiring_module, "replace_file", beaten)
    wire(file).install(home)
    assert read(file)["numStartups"] == 7
    assert wire(file).home() == home


def test_a_file_that_is_written_all_the_time_is_left_alone(
    file: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a sentence, and with what the other one wrote."""
    turn = iter(range(100))

    def beaten(change: FileChange) -> None:
        file.write_text(json.dumps({**USERS, "turn": next(turn)}), encoding="utf-8")
        replace_file(change)

    monkeypatch.setattr(wiring_module, "replace_file", beaten)
    with pytest.raises(Conflict, match="run the command again"):
        wire(file).install(home)
    assert read(file) == {**USERS, "turn": wiring_module.ATTEMPTS - 1}


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b'"x"', b"\xff\xfe{}", b'{"hooks": []}', b'{"hooks": {"Stop": {}}}', b'{"mcpServers": 3}', b"{}{}"],
)
def test_what_is_no_settings_file_is_left_alone(file: Path, home: Path, content: bytes) -> None:
    """With a sentence that names the file; nothing is kept of it either."""
    file.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"settings\.json is no valid settings file .*left as it is"):
        wire(file).install(home)
    assert file.read_bytes() == content
    assert not (home / "hook").exists()


def test_a_folder_in_the_place_of_the_file_is_a_sentence(tmp_path: Path, home: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(Unavailable, match="run the command again"):
        wire(tmp_path / "settings.json").install(home)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_sentence(file: Path, home: Path) -> None:
    file.parent.chmod(0o500)
    try:
        with pytest.raises(Unavailable, match="cannot be written"):
            wire(file).install(home)
    finally:
        file.parent.chmod(0o700)
