"""What harnesses with plugins in their own process share holds in JavaScript too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardwon_command_hooks.javascript import FOLDER


def test_the_hook_program_is_asked_and_never_waited_for_too_long(run_node_tests: Callable[..., None]) -> None:
    """Hang, crash, garbage, no Python, 1 MB, many at once: the harness goes on."""
    run_node_tests(Path(__file__).parent / "javascript", {"HARDWON_JAVASCRIPT": str(FOLDER)})
