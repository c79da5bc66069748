"""Runs the tests of our JavaScript by node's own runner, where node is there to run it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

OLDEST_NODE = 20
"""What OpenCode's Bun and DSH's Node know at least (`toWellFormed`)."""


def node() -> str:
    """Return the program; skip, saying why, where it is missing or too old."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed; the JavaScript is not tested here")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    if int(version.strip().removeprefix("v").partition(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node {version.strip()} is older than {OLDEST_NODE}; the JavaScript is not tested here")
    return program


@pytest.fixture
def run_node_tests() -> Callable[[Path, Mapping[str, str]], None]:
    """Return a function that runs the `*.test.mjs` files of a folder with variables, and fails as they do."""

    def run(folder: Path, variables: Mapping[str, str]) -> None:
        files = sorted(map(str, folder.glob("*.test.mjs")))
        assert files
        environment = {name: value for name, value in os.environ.items() if name != "HARDWON_HOOKS"}
        done = subprocess.run(  # noqa: S603
            [node(), "--test", "--test-reporter=tap", *files],
            env=environment | dict(variables),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        failed = [line for line in done.stdout.splitlines() if line.lstrip().startswith(("not ok", "error:"))]
        assert done.returncode == 0, "\n".join([*failed, done.stdout[-4_000:], done.stderr[-2_000:]])

    return run
