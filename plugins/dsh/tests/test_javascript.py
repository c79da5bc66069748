"""The plugin does in DSH what it should, with the files that `install` copies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon_dsh.adapter import Dsh

HERE = Path(__file__).parent


def test_the_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_node_tests: Callable[..., None]) -> None:
    """Recall, capture, tools, jobs; hang, crash, garbage, no Python, 1 MB, many sessions: DSH's step goes on."""
    monkeypatch.setenv("DSH_HOME", str(tmp_path / "dsh"))
    Dsh().install(tmp_path / "home")
    (tmp_path / "room").mkdir()

    variables = {
        "HARDWON_PLUGIN": str(tmp_path / "dsh" / "profiles" / ".hardwon"),
        "HARDWON_ROOM": str(tmp_path / "room"),
        "HARDWON_STUB": str(HERE.parents[1] / "command_hooks" / "tests" / "javascript" / "stub_hook.mjs"),
    }
    run_node_tests(HERE / "javascript", variables)
