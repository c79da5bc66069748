"""What Qwen Code sends is read as it was recorded, and its time-outs are in its own unit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.kernel.harness import HarnessMoment
from hardwon_qwen.adapter import Qwen

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("SessionStart", HarnessMoment.SESSION_START),
        ("UserPromptSubmit", HarnessMoment.PROMPT),
        ("Stop", HarnessMoment.TURN_END),
    ],
)
def test_its_events_are_read(name: str, moment: HarnessMoment) -> None:
    """With the session, the folder and the transcript; at its beginning with how it began."""
    payload = json.loads((FIXTURES / f"{name}.json").read_bytes())
    event = Qwen().parse(payload)
    assert event is not None
    assert (event.moment, event.session, str(event.folder)) == (moment, payload["session_id"], payload["cwd"])
    assert str(event.transcript) == payload["transcript_path"]
    assert event.source == payload.get("source", "")
    assert moment is not HarnessMoment.PROMPT or event.prompt == payload["prompt"]


def test_a_transcript_that_is_not_told_is_none() -> None:
    """Some versions say null."""
    payload = json.loads((FIXTURES / "Stop.json").read_bytes())
    event = Qwen().parse({**payload, "transcript_path": None})
    assert event is not None
    assert event.transcript is None


def test_it_waits_some_seconds_for_our_command() -> None:
    """Long enough for the hook program's own second on a busy machine, and never minutes: in milliseconds."""
    assert all(2 <= timeout / 1000 <= 5 for timeout in Qwen.table.timeouts.values())
    assert Qwen.table.timeouts.keys() == Qwen.table.events.keys()


def test_the_end_of_a_turn_is_answered_with_nothing() -> None:
    """Whatever is printed there may continue the turn."""
    assert "Stop" not in Qwen().hook_table()["answers"]
    assert "SessionEnd" not in Qwen().hook_table()["answers"]


def test_a_prompt_that_it_repeats_after_a_tool_is_empty() -> None:
    """It fires the same event after each result of a tool; there is nothing to recall for then."""
    again = Qwen().parse(json.loads((FIXTURES / "UserPromptSubmit.2.json").read_bytes()))
    assert again is not None
    assert (again.moment, again.prompt) == (HarnessMoment.PROMPT, "")


def test_hooks_that_its_settings_turn_off_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wired alone, the user would believe that the memory works."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("QWEN_HOME", str(tmp_path))
    Qwen().install(tmp_path / "home")
    assert Qwen().status()["to_do"] == []
    Qwen().uninstall(tmp_path / "home")
    Qwen().settings().path.parent.mkdir(exist_ok=True)
    Qwen().settings().path.write_text('{"disableAllHooks": true}', encoding="utf-8")
    Qwen().install(tmp_path / "home")
    assert "turn all hooks off" in Qwen().status()["to_do"][0]
