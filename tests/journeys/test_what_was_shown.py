"""In a session: what the hook shows can be told afterwards, and what the user makes of it counts at the next prompt."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.hook_program import write_hook
from hardwon.testing.wired_home import TABLE, WiredHome

LESSON = "After a timeout, retry a payment with the same idempotency key"
PROMPT = "may I retry a payment after a timeout with the same idempotency key?"
Answer = Callable[..., Any]


@pytest.fixture
def wired(tmp_path: Path, answer: Answer) -> WiredHome:
    """Return the home of the command line with the hook program in it, wired to a harness."""
    answer("init")
    path = tmp_path / "memory-home"
    with Home(path) as home:
        write_hook(home)
    made = WiredHome(path, tmp_path / "user" / "shop")
    made.write_data(**json.loads((path / "hook" / "data.json").read_bytes()))
    settings = made.data["settings"] | {"deadline": 10.0, "language": "en"}
    made.write_data(harnesses={"tester": TABLE}, settings=settings, worker=[])
    return made


def shown(wired: WiredHome, session: str, *ids: str) -> list[str]:
    """Return the ids of these that a prompt in a new session is answered with, in order."""
    text = wired.said(wired.event("Prompt", prompt=PROMPT, session={"id": session}))
    found = {id: text.find(id[-8:]) for id in ids}
    return sorted((id for id in ids if found[id] >= 0), key=lambda id: found[id])


def test_a_verdict_counts_at_the_next_prompt(wired: WiredHome, answer: Answer) -> None:
    """Of two that say nearly the same, the useful one stands first; the wrong one and the stopped one not at all."""
    one, two = (answer("remember", f"{LESSON} {word}.")["id"] for word in ("always", "indeed"))
    first, second = shown(wired, "s1", one, two)
    answer("feedback", first[-8:], "wrong")
    assert shown(wired, "s2", one, two) == [second]
    answer("feedback", first, "useful")
    answer("feedback", first, "useful")
    assert shown(wired, "s3", one, two) == [first, second]
    answer("feedback", first, "stop")
    assert shown(wired, "s4", one, two) == [second]
    answer("feedback", first, "useful")
    assert shown(wired, "s5", one, two)[0] == first


def test_why_tells_what_the_hook_showed(wired: WiredHome, answer: Answer) -> None:
    """At once, though nothing took it from the spool yet."""
    id = answer("remember", f"{LESSON}.")["id"]
    assert shown(wired, "s1", id) == [id]
    told = answer("why")
    assert (told["session"], told["harness"]) == ("s1", "tester")
    [memory] = told["shown"]
    assert memory["id"] == id
    [showing] = memory["showings"]
    assert showing["via"] == "direct"
    assert showing["score"] > 0
    assert answer("why", "s1") == told
