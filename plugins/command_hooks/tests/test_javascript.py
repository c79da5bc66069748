"""What harnesses with plugins in their own process share holds in JavaScript too."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon_command_hooks.javascript import FOLDER
from hardwon_command_hooks.row_fields import request_of, shortened

REQUESTS: list[Any] = [
    {"description": "Runs it", "command": "make\n  test"},
    {"content": "…", "filePath": "/p/a.py"},
    {"command": ["git", "log"]},
    {"command": ["git", 7], "path": "/p"},
    {"command": [], "cmd": " ", "query": "时区"},
    {"odd": 1, "名": [None, True]},
    "  words\tof one  \n line ",
    "x" * 9_000,
    {},
    [],
    None,
    7,
]
RESULTS = ["", "short", "a" * 4_000, "a" * 4_001, "时" * 9_000 + "end"]


def test_the_hook_program_is_asked_and_never_waited_for_too_long(run_node_tests: Callable[..., None]) -> None:
    """Hang, crash, garbage, no Python, 1 MB, many at once: the harness goes on."""
    run_node_tests(Path(__file__).parent / "javascript", {"HARDWON_JAVASCRIPT": str(FOLDER)})


def test_a_message_reads_the_same_live_and_imported() -> None:
    """What was asked of a tool and what it gave are cut alike in both languages."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed; the JavaScript is not tested here")
    script = (
        f"import {{ requestOf, shortened }} from {json.dumps((FOLDER / 'messages.mjs').as_uri())}\n"
        f"const [requests, results] = {json.dumps([REQUESTS, RESULTS])}\n"
        "console.log(JSON.stringify([requests.map(requestOf), results.map(shortened)]))"
    )
    told = subprocess.run(
        [program, "--input-type=module", "--eval", script], capture_output=True, encoding="utf-8", check=True
    ).stdout

    assert json.loads(told) == [[request_of(each) for each in REQUESTS], [shortened(each) for each in RESULTS]]


def test_no_half_of_a_word_is_left_beside_a_cut() -> None:
    """Of half a key nobody can tell that it is one, so what the cut goes through is left out whole."""
    for place in range(1_980, 2_010):
        key = "abcdefghijklmnopqrstuvwxyz0123456789"
        text = f"{'word ' * 600}"[:place] + f" {key} " + "word " * 2_000 + f" {key} " + f"{'word ' * 600}"[:place]
        left = shortened(text).replace(key, "")
        assert all(word in ("word", "…") or "word".endswith(word) or "word".startswith(word) for word in left.split())
    assert request_of("run " * 123 + "abcdefghijklmnopqrstuvwxyz").split()[-1] == "run"
