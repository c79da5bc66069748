"""HarnessAdapterConformance: reads its own events, and wires itself in and out without a trace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.harness import HarnessMoment, Job
from hardwon.kernel.ports import HarnessAdapter

JOB = Job("consolidate", HarnessMoment.SESSION_END, ("hardwon", "consolidate", "--home", "/a folder/家"))


def schedule(adapter: HarnessAdapter) -> None:
    """Schedule JOB, which changes something; skip where the harness cannot tell the end of a session."""
    try:
        assert adapter.schedule([JOB])
    except Unavailable:
        pytest.skip("this harness has no such moment")


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class HarnessAdapterConformance:
    """What every HarnessAdapter promises.

    Give `adapter`, `payload` (an event as the harness sends it) and `configuration` (the folder that it wires into,
    with what a user may have there already).
    """

    @pytest.fixture
    def configuration(self) -> Path:
        """Return the folder of the harness's configuration."""
        raise NotImplementedError("Give the suite a fixture `configuration`: the folder that the harness reads.")

    @pytest.fixture
    def adapter(self) -> HarnessAdapter:
        """Return the adapter; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `adapter`.")

    @pytest.fixture
    def payload(self) -> Mapping[str, Any]:
        """Return an event as the harness sends it."""
        raise NotImplementedError("Give the suite a fixture `payload`: a recorded event.")

    def test_its_name_can_be_typed(self, adapter: HarnessAdapter) -> None:
        """Lower case, without spaces."""
        assert adapter.name == adapter.name.lower().strip()
        assert " " not in adapter.name

    def test_it_reads_and_answers_its_own_event(self, adapter: HarnessAdapter, payload: Mapping[str, Any]) -> None:
        """The event has its moment and the folder that the agent works in; the answer carries the text as UTF-8."""
        event = adapter.parse(payload)
        assert event is not None
        assert event.moment in HarnessMoment
        assert event.folder.is_absolute()
        answer = adapter.render(event, "Remember: 时区 matters.")
        assert "时区 matters." in answer.decode("utf-8")

    @pytest.mark.parametrize(
        "foreign", [{}, {"nonsense": 1}, {"event": None}, {"event": 7, "prompt": ["x"]}, {"event": ["x"]}]
    )
    def test_a_foreign_event_is_none_of_its(self, adapter: HarnessAdapter, foreign: Mapping[str, Any]) -> None:
        """It is None, not an error: a harness may send anything tomorrow."""
        assert adapter.parse(foreign) is None

    def test_uninstall_takes_back_exactly_what_install_did(
        self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path
    ) -> None:
        """What the user had there is untouched, to the byte where the file was theirs alone."""
        home = tmp_path / "memory home"
        before = snapshot(configuration)
        assert adapter.install(home)
        assert adapter.status()["installed"]
        assert snapshot(configuration) != before
        assert adapter.uninstall(home)
        assert not adapter.status()["installed"]
        assert snapshot(configuration) == before

    def test_installing_twice_changes_nothing(
        self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path
    ) -> None:
        """And says so by listing nothing; so does uninstalling what is not there."""
        home = tmp_path / "memory home"
        assert adapter.uninstall(home) == []
        adapter.install(home)
        after = snapshot(configuration)
        assert adapter.install(home) == []
        assert snapshot(configuration) == after

    def test_jobs_come_and_go_with_what_is_scheduled(
        self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path
    ) -> None:
        """Scheduled twice, they are there once; none scheduled, none is left; the wiring stays as it was."""
        adapter.install(tmp_path / "memory home")
        before = snapshot(configuration)
        schedule(adapter)
        after = snapshot(configuration)
        assert after != before
        assert adapter.schedule([JOB]) == []
        assert snapshot(configuration) == after
        assert adapter.schedule([])
        assert snapshot(configuration) == before
        assert adapter.schedule([]) == []

    def test_uninstall_takes_back_what_was_scheduled(
        self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path
    ) -> None:
        """No job outlives the wiring."""
        home = tmp_path / "memory home"
        before = snapshot(configuration)
        adapter.install(home)
        schedule(adapter)
        adapter.uninstall(home)
        assert snapshot(configuration) == before

    def test_its_tools_have_names(self, adapter: HarnessAdapter) -> None:
        """Each action that the agent can call as a tool is called something there; no two are called the same."""
        tools = adapter.tools()
        assert all(action and name for action, name in tools.items())
        assert len(set(tools.values())) == len(tools)

    def test_transcripts_are_files(self, adapter: HarnessAdapter) -> None:
        """Each path that it names can be read."""
        assert all(path.is_file() for path in adapter.transcripts())
