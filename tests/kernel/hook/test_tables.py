"""A harness's table is data, and has one meaning: for the hook program and for the adapters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.harness import HarnessEvent, HarnessMoment
from hardwon.kernel.hook.tables import answer, event_of, read_event
from hardwon.testing.wired_home import TABLE

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["event", "session", "cwd", "transcript", "prompt", "turn", "source", "messages", "agent_id"])


def test_a_payload_is_read_by_dotted_paths() -> None:
    payload = {
        "event": "Prompt",
        "session": {"id": "s1"},
        "cwd": "/srv/shop",
        "transcript": "/t.jsonl",
        "prompt": "why?",
        "turn": "t1",
    }
    assert read_event(TABLE, payload) == HarnessEvent(
        HarnessMoment.PROMPT, Path("/srv/shop"), session="s1", prompt="why?", transcript=Path("/t.jsonl"), turn="t1"
    )


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"event": "PreToolUse", "cwd": "/w"},
        {"event": "Stop"},
        {"event": "Stop", "cwd": "not/absolute"},
        {"event": "Stop", "cwd": 7},
        {"event": ["Stop"], "cwd": "/w"},
        {"cwd": "/w"},
    ],
)
def test_what_is_no_event_of_ours_is_none(payload: dict[str, Any]) -> None:
    assert read_event(TABLE, payload) is None


@given(st.dictionaries(names | st.text(), anything, max_size=8))
def test_any_payload_is_read_or_none(payload: dict[str, Any]) -> None:
    event = event_of(TABLE, payload)
    if event is not None:
        assert event.folder.startswith("/")
        assert all(isinstance(text, str) for text in (event.prompt, event.source, *event.turns))
        assert all(isinstance(message, dict) for message in event.messages)


@given(st.text(min_size=1))
def test_any_text_becomes_one_json_object_of_the_tables_form(text: str) -> None:
    assert json.loads(answer(TABLE, "Start", text)) == {"said": {"event": "Start", "text": text}}


def test_nothing_to_say_and_nobody_who_listens_is_silence() -> None:
    assert answer(TABLE, "Start", "") == b""
    assert answer(TABLE, "Stop", "text") == b""
