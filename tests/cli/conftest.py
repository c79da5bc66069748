"""What tests of the command line share: the program itself, run as a user runs it, and a home to run it on."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user who has a bare home directory and lets nothing run in the background."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "HARDWON_LOAD_PLUGINS")}
    (tmp_path / "user").mkdir(exist_ok=True)
    return {
        **kept,
        "HOME": str(tmp_path / "user"),
        "HARDWON_HOME": str(tmp_path / "memory-home"),
        "HARDWON_NO_BACKGROUND": "1",
        "PYTHONUTF8": "1",
    }


@pytest.fixture
def program(tmp_path: Path, environment: dict[str, str]) -> Program:
    """Return a function that runs the program with arguments and returns what came of it."""
    project = tmp_path / "user" / "shop"
    project.mkdir()

    def run(
        *arguments: str | Path, cwd: Path = project, also: Mapping[str, str] | None = None, **given: Any
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "hardwon.cli", *map(str, arguments)]
        return subprocess.run(
            command,
            cwd=cwd,
            env={**environment, **(also or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            **given,
        )

    return run


@pytest.fixture
def answer(program: Program) -> Callable[..., Any]:
    """Return a function that runs a command with --json, expects it to be done, and returns its value."""

    def run(*arguments: str | Path, **given: Any) -> Any:
        done = program(*arguments, "--json", **given)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def load_reference() -> ModuleType:
    """Return the module that writes the reference of commands."""
    path = Path(__file__).with_name("command_reference.py")
    specification = importlib.util.spec_from_file_location("command_reference", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
