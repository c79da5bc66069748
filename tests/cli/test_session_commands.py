"""At the shell: what an agent was shown, why, and what the user makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import spool

LESSON = "After a timeout, retry a payment with the same key."
ASKED = "may I retry a payment after a timeout?"


def shown_by_a_hook(home: Path, id: str, via: str = "direct", score: float = 0.8125) -> None:
    record = {
        "format": 1,
        "harness": "claude-code",
        "moment": "shown",
        "session": "abcd-ef",
        "folder": "/projects/shop",
        "at": 1_790_000_000.0,
        "lexical": True,
        "shown": [[id, via, score]],
    }
    spool.put(str(home), json.dumps(record).encode())


def test_why_tells_what_a_hook_showed(answer: Callable[..., Any], program: Any, tmp_path: Path) -> None:
    id = answer("remember", LESSON)["id"]
    shown_by_a_hook(tmp_path / "memory-home", id)
    told = answer("why")
    assert (told["session"], told["harness"]) == ("abcd-ef", "claude-code")
    [memory] = told["shown"]
    assert (memory["id"], memory["title"], memory["status"]) == (id, LESSON, "active")
    [showing] = memory["showings"]
    assert (showing["via"], showing["score"], showing["lexical"]) == ("direct", 0.8125, True)
    text = program("why", "abcd").stdout
    assert "Shown in the session `abcd-ef` of claude-code: 1 memory." in text
    assert "found itself, by keywords alone, score 0.81" in text


def test_why_tells_what_a_sessions_start_showed_without_a_score(
    answer: Callable[..., Any], program: Any, tmp_path: Path
) -> None:
    """Nobody asked for it, so there is nothing that it was measured by."""
    shown_by_a_hook(tmp_path / "memory-home", answer("remember", LESSON)["id"], "start", 0.0)
    text = program("why").stdout
    assert "shown at the session's start" in text
    assert "score" not in text
    assert "keywords" not in text


def test_why_without_any_session_says_so(answer: Callable[..., Any], program: Any) -> None:
    answer("remember", LESSON)
    done = program("why")
    assert done.returncode == 1
    assert "Nothing was shown in any session yet" in done.stderr


@pytest.mark.parametrize("part", [slice(None), slice(-8, None), slice(0, 15)])
def test_feedback_takes_any_unique_part_of_an_id(answer: Callable[..., Any], part: slice) -> None:
    id = answer("remember", LESSON)["id"]
    stopped = answer("feedback", id[part], "stop")
    assert (stopped["id"], stopped["status"], stopped["shown_unasked"]) == (id, "observed", False)
    assert answer("recall", ASKED)["hits"] == []
    assert [hit["id"] for hit in answer("recall", ASKED, "--include", "observed")["hits"]] == [id]
    assert answer("feedback", id[part], "useful")["status"] == "active"
    assert answer("recall", ASKED)["hits"]


def test_a_verdict_that_is_none_is_refused(answer: Callable[..., Any], program: Any) -> None:
    id = answer("remember", LESSON)["id"]
    done = program("feedback", id, "splendid")
    assert done.returncode == 2
    assert "useful, wrong, stop, followed or ignored" in done.stderr
