"""Accepts a proposal and is killed, again and again, each time one write later; prints what a second try made of it.

`python accept_killed.py HOME PROPOSAL`: each round works on a copy of HOME. A round is a child process that an audit
hook kills (SIGKILL) before its n-th write; then the parent accepts again and looks at everything. The last line tells
how all stands where nobody was killed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from killing import killed_at

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind
from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.review import accept


def _accept(home: Path, proposal: str) -> None:
    with Home(home) as opened:
        accept(opened, opened.queue.find(proposal), by="ada")


def second_try(home: Path, proposal: str) -> dict[str, Any]:
    """Accept again, unless it is done already, and return how everything stands."""
    with Home(home) as opened:
        before = opened.queue.find(proposal).state
        try:
            accept(opened, opened.queue.find(proposal), by="ada")
        except Conflict:
            if before is not ProposalState.ACCEPTED:
                raise
        memories = opened.storage.memories
        rules = list(memories.scan(Filter(kinds=(Kind.RULE,), statuses=None)))
        edges = {edge.key for rule in rules for edge in memories.relations(rule.id)}
        problems = [*opened.storage.problems(), *opened.queue.problems()]
        found = {
            "rules": sorted(f"{rule.id} {rule.status} {rule.scope.model_dump_json()} {rule.content}" for rule in rules),
            "edges": sorted(map(list, edges)),
            "decisions": len(opened.storage.ledger.decisions()),
            "pending": len(opened.queue.pending()),
            "problems": [f"{each.where}: {each.what}" for each in problems],
        }
    git = ["git", "-C", str(home / "memory")]
    status = subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, encoding="utf-8")
    return {**found, "unclean": status.stdout}


def main(original: Path, proposal: str) -> None:
    """Print one JSON line a round, up to the round that runs to its end."""
    number = 1
    while True:
        home = original.with_name(f"round-{number}")
        shutil.copytree(original, home, symlinks=True)
        was_killed = killed_at(number, partial(_accept, home, proposal))
        print(json.dumps({"write": number, **second_try(home, proposal)}), flush=True)
        shutil.rmtree(home)
        if not was_killed:
            return
        number += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
