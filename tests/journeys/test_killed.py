"""`kill -9` between any two writes of an acceptance leaves it repeatable."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.testing.examples import MOMENT, UNIT_TESTS, complete_proposal, instance, related_lessons

DRIVER = Path(__file__).with_name("accept_killed.py")


def test_an_acceptance_killed_at_any_write_can_be_repeated(environment: dict[str, str], tmp_path: Path) -> None:
    """Then there is one rule, a link a lesson, one decision, nothing pending, nothing wrong, nothing uncommitted."""
    lessons = related_lessons()[:3]
    proposal = complete_proposal(
        id=new_id(MOMENT), rule=UNIT_TESTS, instances=tuple(map(instance, lessons)), against=()
    )
    home = tmp_path / "home"
    with Home(home) as opened:
        opened.create()
        (home / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        opened.storage.memories.put(lessons)
        opened.queue.add([proposal])
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(home), proposal.id],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) > 5, "the writes of an acceptance were not seen"
    for each in rounds:
        expected = {"rules": 1, "edges": 3, "decisions": 1, "pending": 0, "problems": [], "unclean": ""}
        assert {name: each[name] for name in expected} == expected, each
