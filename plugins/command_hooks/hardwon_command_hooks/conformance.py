"""CommandHookConformance: what every harness with command hooks keeps beside the promises of the port.

Subclass it in a test, as one does with the suites of `hardwon.testing`; it needs pytest, and no program imports it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from hardwon.kernel.harness import HarnessMoment
from hardwon_command_hooks.adapter import CommandHookAdapter

SHORTEST, LONGEST = 2, 5
"""Seconds that a harness waits for our command: more than the hook program's own one, and never minutes."""


class CommandHookConformance:
    """Give the adapter's class, a folder of recorded events (`<event>.json`), and the unit of its time-outs."""

    harness: ClassVar[type[CommandHookAdapter]]
    fixtures: ClassVar[Path]
    units_per_second: ClassVar[int]
    folder_variable: ClassVar[str]
    """The environment variable that names the folder of the harness's configuration."""
    all_hooks_off: ClassVar[str | None] = None
    """Settings of the harness by which no hook runs; None where it has none."""

    def recorded(self, moment: HarnessMoment) -> Mapping[str, Any] | None:
        """Return the recorded event of a moment; None where nobody recorded one."""
        [name] = [name for name, its in self.harness.table.events.items() if its == moment]
        path = self.fixtures / f"{name}.json"
        if not path.is_file():
            return None
        payload: Mapping[str, Any] = json.loads(path.read_bytes())
        return payload

    @pytest.mark.parametrize(
        "moment",
        [HarnessMoment.SESSION_START, HarnessMoment.PROMPT, HarnessMoment.TURN_END, HarnessMoment.SESSION_END],
    )
    def test_its_events_are_read(self, moment: HarnessMoment) -> None:
        """With the session, the folder and the transcript; at its beginning with how it began."""
        payload = self.recorded(moment)
        if payload is None:
            pytest.skip(f"no event of the moment {moment} was recorded")
        event = self.harness().parse(payload)
        assert event is not None
        assert (event.moment, event.session, str(event.folder)) == (moment, payload["session_id"], payload["cwd"])
        assert str(event.transcript) == payload["transcript_path"]
        assert event.source == payload.get("source", "")
        assert moment is not HarnessMoment.PROMPT or event.prompt == payload["prompt"]

    def test_a_transcript_that_is_not_told_is_none(self) -> None:
        """Some versions say null."""
        payload = self.recorded(HarnessMoment.TURN_END)
        assert payload is not None
        event = self.harness().parse({**payload, "transcript_path": None})
        assert event is not None
        assert event.transcript is None

    def test_it_waits_some_seconds_for_our_command(self) -> None:
        """In the harness's own unit, for each event that it is wired to."""
        table = self.harness.table
        assert all(SHORTEST <= timeout / self.units_per_second <= LONGEST for timeout in table.timeouts.values())
        assert table.timeouts.keys() == table.events.keys()

    def test_the_end_of_a_turn_is_answered_with_nothing(self) -> None:
        """Whatever is printed there may continue the turn."""
        ends = (HarnessMoment.TURN_END, HarnessMoment.SESSION_END)
        names = {name for name, moment in self.harness.table.events.items() if moment in ends}
        assert names
        assert names.isdisjoint(self.harness().hook_table()["answers"])

    def test_hooks_that_its_settings_turn_off_are_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Wired alone, the user would believe that the memory works."""
        if self.all_hooks_off is None:
            pytest.skip("no setting of this harness turns all hooks off")
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv(self.folder_variable, str(tmp_path))
        adapter = self.harness()
        adapter.install(tmp_path / "home")
        assert adapter.status()["to_do"] == []
        adapter.uninstall(tmp_path / "home")
        settings = adapter.settings().path
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(self.all_hooks_off, encoding="utf-8")
        adapter.install(tmp_path / "home")
        assert "turn all hooks off" in adapter.status()["to_do"][0]
