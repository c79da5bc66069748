"""The plugin does in OpenCode what it should, with the files that `install` copies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon_opencode.adapter import OpenCode

HERE = Path(__file__).parent


def test_the_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_node_tests: Callable[..., None]) -> None:
    """Recall, capture, jobs; hang, crash, garbage, no Python, 1 MB, many sessions: OpenCode's turn goes on."""
    monkeypatch.setenv("OPENCODE_CONFIG_DIR", str(tmp_path / "opencode"))
    OpenCode().install(tmp_path / "home")

    variables = {
        "HARDWON_PLUGIN": str(tmp_path / "opencode" / "plugins"),
        "HARDWON_FIXTURES": str(HERE / "fixtures"),
        "HARDWON_STUB": str(HERE.parents[1] / "command_hooks" / "tests" / "javascript" / "stub_hook.mjs"),
    }
    run_node_tests(HERE / "javascript", variables)
