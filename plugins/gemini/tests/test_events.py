"""What Gemini CLI sends is read as it was recorded, and its time-outs are in its own unit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.kernel.harness import HarnessMoment
from hardwon_gemini.adapter import Gemini

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("SessionStart", HarnessMoment.SESSION_START),
        ("BeforeAgent", HarnessMoment.PROMPT),
        ("AfterAgent", HarnessMoment.TURN_END),
        ("SessionEnd", HarnessMoment.SESSION_END),
    ],
)
def test_its_events_are_read(name: str, moment: HarnessMoment) -> None:
    """With the session, the folder and the transcript; at its beginning with how it began."""
    payload = json.loads((FIXTURES / f"{name}.json").read_bytes())
    event = Gemini().parse(payload)
    assert event is not None
    assert (event.moment, event.session, str(event.folder)) == (moment, payload["session_id"], payload["cwd"])
    assert str(event.transcript) == payload["transcript_path"]
    assert event.source == payload.get("source", "")
    assert moment is not HarnessMoment.PROMPT or event.prompt == payload["prompt"]


def test_a_transcript_that_is_not_told_is_none() -> None:
    """Some versions say null."""
    payload = json.loads((FIXTURES / "AfterAgent.json").read_bytes())
    event = Gemini().parse({**payload, "transcript_path": None})
    assert event is not None
    assert event.transcript is None


def test_it_waits_some_seconds_for_our_command() -> None:
    """Long enough for the hook program's own second on a busy machine, and never minutes: in milliseconds."""
    assert all(2 <= timeout / 1000 <= 5 for timeout in Gemini.table.timeouts.values())
    assert Gemini.table.timeouts.keys() == Gemini.table.events.keys()


def test_the_end_of_a_turn_is_answered_with_nothing() -> None:
    """Whatever is printed there may continue the turn."""
    assert "AfterAgent" not in Gemini().hook_table()["answers"]
    assert "SessionEnd" not in Gemini().hook_table()["answers"]


def test_hooks_that_its_settings_turn_off_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wired alone, the user would believe that the memory works."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GEMINI_CLI_HOME", str(tmp_path))
    Gemini().install(tmp_path / "home")
    assert Gemini().status()["to_do"] == []
    Gemini().uninstall(tmp_path / "home")
    Gemini().settings().path.parent.mkdir(exist_ok=True)
    Gemini().settings().path.write_text('{"hooksConfig": {"enabled": false}}', encoding="utf-8")
    Gemini().install(tmp_path / "home")
    assert "turn all hooks off" in Gemini().status()["to_do"][0]
