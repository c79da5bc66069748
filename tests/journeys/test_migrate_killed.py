"""A migration that is killed at any step goes on when it is repeated, and nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

DRIVER = Path(__file__).with_name("migrate_killed.py")


def test_a_migration_killed_anywhere_is_gone_on_from(environment: dict[str, str], tmp_path: Path) -> None:
    """Between real files and a real database; `migrate_killed.py` does it hundreds of times by hand."""
    command = [sys.executable, str(DRIVER), str(tmp_path), "6"]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert found["killed"] > 3
