"""What a clock that ran ahead asserted is not recalled before that moment, and `doctor` says so."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.query import Query
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.doctor import LEEWAY, examine
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.remembering import remember
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FixedClock, open_fake_home
from hardwon.testing.fakes.clock import START

TEXT = "The gateway listens on port 8443."


def told(home: Home) -> list[Problem]:
    [check] = [check for check in examine(home) if check.name == "every memory was learned by now"]
    return check.problems


def recalled(home: Home) -> list[str]:
    return [hit.entry.id for hit in recall(home, Query(text="Which port does the gateway listen on?")).hits]


def is_recalled(home: Home) -> bool:
    return bool(recalled(home))


def test_it_is_named_with_what_to_do(tmp_path: Path) -> None:
    with open_fake_home(tmp_path, clock=FixedClock()) as home:
        first = memory(TEXT, at=START + timedelta(days=365))
        last = memory("Another one.", at=START + timedelta(days=366))
        home.storage.memories.put([first, last, memory("A third one.", at=START)])
        assert not is_recalled(home)
        [problem] = told(home)
        assert problem.where == f"memory {last.id} (and 1 other)"
        assert f"`hardwon remember --replaces {last.id} …`" in problem.what


def test_what_it_says_to_do_helps(tmp_path: Path) -> None:
    """Once the moment has come here, or once the clock here is right."""
    clock = FixedClock()
    with open_fake_home(tmp_path, clock=clock) as home:
        home.storage.memories.put([memory(TEXT, at=START + timedelta(days=1))])
        assert told(home)
        clock.advance(days=1)
        assert told(home) == []
        assert is_recalled(home)


@pytest.mark.parametrize("words", [TEXT, "The gateway listens on port 8444."], ids=["same", "other"])
def test_said_anew_it_is_recalled_and_named_no_more(tmp_path: Path, words: str) -> None:
    """In its own words too, which are known already; and once alone when its own moment has come."""
    clock = FixedClock()
    with open_fake_home(tmp_path, clock=clock) as home:
        ahead = remember(home, memory(TEXT, at=START + timedelta(days=365))).entry
        [problem] = told(home)
        assert ahead.id in problem.where
        said = remember(home, memory(words, at=clock.now()), replaces=ahead).entry
        assert told(home) == []
        assert recalled(home) == [said.id]
        clock.advance(days=366)
        assert recalled(home) == [said.id]


def test_clocks_that_nobody_set_wrong_differ_by_minutes(tmp_path: Path) -> None:
    with open_fake_home(tmp_path, clock=FixedClock()) as home:
        home.storage.memories.put([memory(TEXT, at=START + LEEWAY)])
        assert told(home) == []
