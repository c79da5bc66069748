"""A home with the hook program in it, without a store."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from hardwon.kernel.use_cases.hook_assembly import assembled
from hardwon.testing.wired_home import PYTHON, SETTINGS, TABLE, WiredHome


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the program as it is assembled without a store, compiled once."""
    folder = tmp_path_factory.mktemp("hook")
    (folder / "hook").write_text(assembled([]).text, encoding="utf-8")
    subprocess.run([PYTHON, "-I", "-S", str(folder / "hook")], stdin=subprocess.DEVNULL, check=True, timeout=60)
    return folder


@pytest.fixture
def wired(tmp_path: Path, program: Path) -> WiredHome:
    """Return a home in which one harness is wired, and a folder that is a project."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "version").write_text("1\n", encoding="ascii")
    shutil.copytree(program, home / "hook")
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    made = WiredHome(home, folder)
    made.write_data(
        format=1,
        worker=[],
        worker_lock="capture.lock",
        reader=None,
        config=None,
        settings=dict(SETTINGS),
        paused=[],
        projects={},
        names={},
        names_stamp=None,
        harnesses={"tester": json.loads(json.dumps(TABLE))},
    )
    return made
