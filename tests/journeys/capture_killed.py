"""Captures sessions and is killed, again and again, each time one write later; prints what a second try made of it.

`python capture_killed.py HOME`: each round works on a copy of HOME. A round is a child process that an audit hook kills
(SIGKILL) before its n-th write; then the parent captures again and looks at everything.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from killing import killed_at

from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.capture import capture


def captured(home: Path) -> None:
    """Take what is in the spool."""
    with Home(home) as opened:
        capture(opened, settle=True)


def second_try(home: Path) -> dict[str, Any]:
    """Capture again, and return how everything stands."""
    captured(home)
    with Home(home) as opened:
        journal = opened.storage.journal
        found = {
            "memories": sorted(entry.content for entry in opened.storage.memories.scan(Filter(statuses=None))),
            "turns": sorted((each.session, each.turns) for each in journal.sessions()),
            "blocks": sum(len(journal.of_session(each.session)) for each in journal.sessions()),
            "shown": [each.memory for each in opened.storage.ledger.activity("shown")],
            "problems": [f"{each.where}: {each.what}" for each in opened.storage.problems()],
        }
    left = sorted(path.name for path in (home / "spool").rglob("*") if path.is_file() and not path.name.startswith("."))
    git = ["git", "-C", str(home / "memory")]
    status = subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, encoding="utf-8")
    return {**found, "left": left, "unclean": status.stdout}


def main(original: Path) -> None:
    """Print one JSON line a round, until a round runs to its end."""
    number = 1
    while True:
        home = original.with_name(f"round-{number}")
        shutil.copytree(original, home, symlinks=True)
        if not killed_at(number, lambda: captured(home)):  # noqa: B023 - called at once
            return
        print(json.dumps({"write": number, **second_try(home)}), flush=True)
        shutil.rmtree(home)
        number += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]))
