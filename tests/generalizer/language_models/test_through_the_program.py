"""From the command line to the provider's wire and back: what a model words is a draft of its, and status tells it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PRINCIPLE = "Set a time limit on every network call before it is made."
PARTS = {"situation": "Calling a service.", "cause": "No time limit was set.", "fix": None, "principle": PRINCIPLE}
Answer = Callable[..., Any]


@pytest.fixture
def home(tmp_path: Path, server: Any, answer: Answer) -> Path:
    """Return a home whose settings name the scripted model."""
    answer("init")
    home = tmp_path / "memory-home"
    caps = "calls_per_minute = 1000\ncalls_per_run = 3\ntimeout = 20\n"
    text = f'embedder = "none"\n[language_model]\nmodel = "openai/scripted"\napi_base = "{server.address}"\n{caps}'
    (home / "config.toml").write_text(text, encoding="utf-8")
    return home


def test_a_lesson_is_worded_in_a_run(home: Path, answer: Answer, server: Any, behave: Any) -> None:
    behave(("says", json.dumps(PARTS)))
    kept = answer("remember", "The importer hung for an hour, since the client had no timeout.")
    answer("consolidate")
    shown = answer("show", kept["id"])
    assert shown["lesson"]["principle"] == PRINCIPLE
    assert len(server.asked) == 1
    standing = answer("status")["language_model"]
    assert standing["model"] == "openai/scripted"
    assert standing["calls"] == 1
    assert standing["tokens"] == 2_312


def test_a_provider_that_is_down_costs_a_run_nothing_but_the_words(
    home: Path, answer: Answer, program: Any, server: Any, behave: Any
) -> None:
    """The run is done, status says since when and why the model rests, and the next run does not ask."""
    behave(("refuses", 503))
    for number in range(5):
        answer("remember", f"Importer number {number} hung for an hour, since the client had no timeout.")
    answer("consolidate")
    assert len(server.asked) == 3
    answer("consolidate")
    assert len(server.asked) == 3
    said = program("status").stdout
    assert "openai/scripted" in said
    assert "rests until" in said


def test_a_limit_of_the_provider_is_kept_by_the_next_process(home: Path, answer: Answer, server: Any) -> None:
    server.behaviours = [
        lambda handler: handler.send(429, b'{"error": {"message": "slow down"}}', {"retry-after": "600"})
    ]
    for number in range(5):
        answer("remember", f"Importer number {number} hung for an hour, since the client had no timeout.")
    answer("consolidate")
    answer("consolidate")
    assert len(server.asked) == 1


def test_an_adapter_that_is_not_there_is_told(home: Path, answer: Answer, program: Any) -> None:
    """The run is done without it."""
    text = (
        (home / "config.toml").read_text(encoding="utf-8").replace("[language_model]", '[language_model]\nname = "x"')
    )
    (home / "config.toml").write_text(text, encoding="utf-8")
    answer("remember", "The importer hung for an hour, since the client had no timeout.")
    answer("consolidate")
    assert "No plugin offers “x” among the language models" in program("status").stdout
