"""HarnessAdapterConformance: reads its own events and transcripts, and wires itself in and out without a trace."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import InvalidInput, Unavailable
from hardwon.kernel.harness import HarnessMoment, Job
from hardwon.kernel.ports import HarnessAdapter
from hardwon.kernel.records import Problem
from hardwon.kernel.session import Turn

JOB = Job("consolidate", HarnessMoment.SESSION_END, ("hardwon", "consolidate", "--home", "/a folder/家"))


def schedule(adapter: HarnessAdapter) -> None:
    """Schedule JOB, which changes something; skip where the harness cannot tell the end of a session."""
    try:
        assert adapter.schedule([JOB])
    except Unavailable:
        pytest.skip("this harness has no such moment")


BROKEN = b'{ "theme": '
"""No valid file of settings, whatever the format."""


def content(path: Path) -> bytes | None:
    """Return a file's bytes, None where there is none."""
    return path.read_bytes() if path.exists() else None


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class HarnessAdapterConformance:
    """What every HarnessAdapter promises.

    Give `adapter`, `payload` (an event as the harness sends it) and `configuration` (the folder that it wires into,
    with what a user may have there already); `transcript`, where the harness keeps transcripts.
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

    @pytest.fixture
    def transcript(self) -> Path:
        """Return a transcript as the harness writes it."""
        pytest.skip("this harness keeps no transcripts")

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
        assert "时区 matters." in str(json.loads(answer))

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

    def test_what_it_will_change_is_told_before(
        self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path
    ) -> None:
        """Each file as it is and as it will be; asking changes nothing; afterwards nothing is left to be changed."""
        home = tmp_path / "memory home"
        before = snapshot(configuration)
        changes = adapter.changes(home)
        assert snapshot(configuration) == before
        assert changes
        assert [content(change.path) for change in changes] == [change.before for change in changes]
        adapter.install(home)
        assert [content(change.path) for change in changes] == [change.after for change in changes]
        assert adapter.changes(home) == []

    def test_a_file_that_is_not_valid_is_left_alone(
        self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path
    ) -> None:
        """What nobody can read, nobody can mend by writing over it; the sentence says which file it is."""
        for change in adapter.changes(tmp_path / "memory home"):
            if change.before is None:
                continue
            change.path.write_bytes(BROKEN)
            with contextlib.suppress(InvalidInput):
                adapter.install(tmp_path / "memory home")
            assert change.path.read_bytes() == BROKEN
            with contextlib.suppress(InvalidInput):
                adapter.uninstall(tmp_path / "memory home")
            assert change.path.read_bytes() == BROKEN
            change.path.write_bytes(change.before)

    def test_a_link_stays_a_link(self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path) -> None:
        """Settings that are kept elsewhere and linked from here are changed where they are kept."""
        elsewhere = tmp_path / "dotfiles"
        elsewhere.mkdir()
        linked = [change.path for change in adapter.changes(tmp_path / "memory home") if change.before is not None]
        for place, path in enumerate(linked):
            kept = elsewhere / f"{place}-{path.name}"
            path.rename(kept)
            path.symlink_to(kept)
        before = snapshot(elsewhere)
        adapter.install(tmp_path / "memory home")
        assert all(path.is_symlink() for path in linked)
        assert snapshot(elsewhere) != before or not linked
        adapter.uninstall(tmp_path / "memory home")
        assert all(path.is_symlink() for path in linked)
        assert snapshot(elsewhere) == before

    def test_another_home_takes_the_place_of_the_first(
        self, adapter: HarnessAdapter, configuration: Path, tmp_path: Path
    ) -> None:
        """A harness is wired to one home; when the second goes too, nothing of either is left."""
        first, second = tmp_path / "first home", tmp_path / "second home"
        before = snapshot(configuration)
        adapter.install(first)
        adapter.install(second)
        assert adapter.status()["home"] == str(second)
        assert str(first).encode() not in b"".join(snapshot(configuration).values())
        adapter.uninstall(second)
        assert snapshot(configuration) == before

    def test_two_homes_leave_nothing_where_nothing_was(self, adapter: HarnessAdapter, tmp_path: Path) -> None:
        """The second home takes over what the first one remembered, folders among it."""
        files = [change.path for change in adapter.changes(tmp_path / "first home")]
        places = {place for file in files for place in (file, *file.parents)}
        before = {place for place in places if place.exists()}
        adapter.install(tmp_path / "first home")
        adapter.install(tmp_path / "second home")
        adapter.uninstall(tmp_path / "second home")
        assert {place for place in places if place.exists()} == before

    def test_its_status_says_what_is_left_to_do(self, adapter: HarnessAdapter, tmp_path: Path) -> None:
        """As sentences, and to which home it is wired; before, to none."""
        assert adapter.status()["home"] is None
        adapter.install(tmp_path / "memory home")
        status = adapter.status()
        assert status["home"] == str(tmp_path / "memory home")
        assert all(sentence.endswith(".") for sentence in status["to_do"])

    def test_it_is_present_where_its_configuration_is(self, adapter: HarnessAdapter, configuration: Path) -> None:
        """Setup offers to wire what it finds."""
        assert adapter.present()

    def test_its_table_is_data(self, adapter: HarnessAdapter) -> None:
        """The hook program reads it from JSON; what cannot be written there, it would never learn."""
        table = adapter.hook_table()
        assert json.loads(json.dumps(table)) == table
        assert set(table) >= {"title", "events", "fields", "answers", "limit", "capture", "recall", "subagents"}
        assert set(table["events"].values()) <= {str(moment) for moment in HarnessMoment}
        assert set(table["answers"]) <= set(table["events"])

    def test_its_tools_have_names(self, adapter: HarnessAdapter) -> None:
        """Each action that the agent can call as a tool is called something there; no two are called the same."""
        tools = adapter.tools()
        assert all(action and name for action, name in tools.items())
        assert len(set(tools.values())) == len(tools)

    def test_it_reads_its_transcripts(self, adapter: HarnessAdapter, transcript: Path) -> None:
        """As turns in order, the same each time; somebody typed something; no two messages of a turn have one id."""
        turns = [each for each in adapter.read(transcript) if isinstance(each, Turn)]
        assert turns
        assert turns == [each for each in adapter.read(transcript) if isinstance(each, Turn)]
        assert len({(turn.session, turn.id) for turn in turns}) == len(turns)
        assert any(turn.typed for turn in turns)
        for turn in turns:
            assert turn.harness == adapter.name
            assert turn.messages
            assert len({message.id for message in turn.messages}) == len(turn.messages)

    def test_a_transcript_that_is_damaged_is_read_around_the_damage(
        self, adapter: HarnessAdapter, transcript: Path, tmp_path: Path
    ) -> None:
        """A cut row, NULs where the power went, or a value that is no row hides nothing behind it."""
        damaged = tmp_path / transcript.name
        damage = b'{"cut\n\0\0\0\nnull\n[]\n"x"\n7\n{"type": "tomorrow"}\n{"type": 3, "message": [1]}\n\n'
        damaged.write_bytes(damage + transcript.read_bytes())
        turns = [each for each in adapter.read(transcript) if isinstance(each, Turn)]
        assert [each for each in adapter.read(damaged) if isinstance(each, Turn)] == turns
        assert any(isinstance(each, Problem) for each in adapter.read(damaged))

    def test_transcripts_are_files(self, adapter: HarnessAdapter) -> None:
        """Each path that it names can be read."""
        assert all(path.is_file() for path in adapter.transcripts())
