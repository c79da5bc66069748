"""What `setup` writes into the home, and what `doctor` says of it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import background
from hardwon.kernel.errors import StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.hook.data import FILE
from hardwon.kernel.use_cases import hook_program
from hardwon.kernel.use_cases.doctor import examine
from hardwon.kernel.use_cases.hook_program import (
    MADE_OF,
    PROGRAM,
    hook_command,
    hook_problems,
    refresh_hook,
    write_hook,
)
from hardwon.testing.fakes import open_fake_home
from hardwon.testing.wired_home import WiredHome


def test_the_command_line_names_the_bare_interpreter_and_the_home_alone(tmp_path: Path) -> None:
    """Whatever the folder is called; the same as long as the home is where it is."""
    home = tmp_path / "a home's folder"
    command = shlex.split(hook_command(home, "tester"))
    assert command[1:] == ["-I", "-S", str(home / "hook" / "hook"), "tester"]
    assert "hardwon" not in Path(command[0]).name
    assert hook_command(home, "tester") == hook_command(home, "tester")


def test_a_home_is_wired_by_a_program_and_data_for_their_owner_alone(tmp_path: Path) -> None:
    with open_fake_home(tmp_path / "home") as home:
        assert len(write_hook(home)) == 2
        assert write_hook(home) == []
        for name in (PROGRAM, FILE):
            assert (home.path / name).stat().st_mode & 0o777 == 0o600
        data = json.loads((home.path / FILE).read_text(encoding="utf-8"))
        assert data["format"] == 1
        assert data["settings"]["deadline"] == 1.0


def test_a_pause_outlives_what_is_written_anew(tmp_path: Path) -> None:
    with open_fake_home(tmp_path / "home") as home:
        write_hook(home, [{"until": None, "harness": None, "project": "shop"}])
        (home.path / "config.toml").write_text('language = "de"\n', encoding="utf-8")
    with open_fake_home(tmp_path / "home") as home:
        assert refresh_hook(home)
        data = json.loads((home.path / FILE).read_text(encoding="utf-8"))
        assert data["paused"] == [{"until": None, "harness": None, "project": "shop"}]
        assert data["settings"]["language"] == "de"


def test_no_pause_begins_between_reading_and_writing_what_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that renews the data would write what was before over it: whoever writes waits for the other."""
    held = []
    read = hook_program.pauses

    def watched(home: Home) -> list[dict[str, Any]]:
        held.append(background.is_held(home.path / hook_program.WRITING))
        return read(home)

    monkeypatch.setattr(hook_program, "pauses", watched)
    monkeypatch.setattr(hook_program, "PATIENCE", 0.0)
    with open_fake_home(tmp_path) as home:
        write_hook(home)
        assert held == [True]
        with background.alone(home.path / hook_program.WRITING), pytest.raises(StoreError, match="try it again"):
            write_hook(home, [])


def test_another_hardwon_renews_the_program_by_itself(tmp_path: Path) -> None:
    """After an upgrade the index has another format, perhaps: the old program would be silent for ever."""
    with open_fake_home(tmp_path / "home") as home:
        write_hook(home)
        assert not refresh_hook(home)
        made_of = json.loads((home.path / MADE_OF).read_text(encoding="utf-8"))
        made_of["modules"]["hardwon.kernel.spool"]["mtime_ns"] -= 1
        (home.path / MADE_OF).write_text(json.dumps(made_of), encoding="utf-8")
        (home.path / PROGRAM).write_text("import os\nos._exit(0)\n", encoding="utf-8")
        assert refresh_hook(home)
        assert "def put(home, record):" in (home.path / PROGRAM).read_text(encoding="utf-8")
        assert not refresh_hook(home)
        made_of["modules"]["hardwon.kernel.gone_since"] = {"mtime_ns": 1, "size": 1}
        (home.path / MADE_OF).write_text(json.dumps(made_of), encoding="utf-8")
        assert refresh_hook(home)


def test_a_home_that_no_setup_wired_is_not_wired_by_anything_else(tmp_path: Path) -> None:
    with open_fake_home(tmp_path / "home") as home:
        assert not refresh_hook(home)
        assert hook_problems(home) == []
        assert not (home.path / "hook").exists()


def test_doctor_tells_what_broke_and_a_program_of_another_hardwon(tmp_path: Path) -> None:
    with open_fake_home(tmp_path / "home") as home:
        write_hook(home)
        wired = WiredHome.of(home, tmp_path)
        (home.path / "spool").write_bytes(b"")
        wired.run(wired.event("Stop", transcript="/t"))
        (home.path / "spool").unlink()
        (home.path / PROGRAM).write_text("import os\nos._exit(0)\n", encoding="utf-8")
        [check] = [check for check in examine(home) if check.name == "the hook program serves"]
        broke, other, gone = check.problems
        assert "is gone" in gone.what
        assert "NotADirectoryError" in broke.what
        assert "hardwon.kernel.spool" in broke.what
        assert "hardwon setup" in other.what
