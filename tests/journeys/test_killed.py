"""`kill -9` between any two writes of an acceptance leaves it repeatable, whatever kind of proposal it is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.proposal import Proposal
from hardwon.testing.examples import MOMENT, UNIT_TESTS, complete_proposal, instance, related_lessons
from hardwon.testing.rule_changes import MAKERS, Make

DRIVER = Path(__file__).with_name("accept_killed.py")


def new_rule(home: Home) -> Proposal:
    """Return a proposal of a rule of three lessons."""
    lessons = related_lessons()[:3]
    home.storage.memories.put(lessons)
    proposal = complete_proposal(
        id=new_id(MOMENT), rule=UNIT_TESTS, instances=tuple(map(instance, lessons)), against=()
    )
    home.queue.add([proposal])
    return proposal


CASES = {"new-rule": new_rule, **MAKERS}


@pytest.mark.parametrize("make", CASES.values(), ids=CASES)
def test_an_acceptance_killed_at_any_write_can_be_repeated(
    environment: dict[str, str], tmp_path: Path, make: Make
) -> None:
    """Then everything stands as if nobody had been killed: rules, links and decisions, and nothing uncommitted."""
    home = tmp_path / "home"
    with Home(home) as opened:
        opened.create()
        (home / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        proposal = make(opened)
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(home), proposal.id],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *rounds, whole = [{**json.loads(line), "write": 0} for line in done.stdout.splitlines()]
    assert len(rounds) > 5, "the writes of an acceptance were not seen"
    assert (whole["pending"], whole["problems"], whole["unclean"]) == (0, [], "")
    for number, each in enumerate(rounds, start=1):
        assert each == whole, number
