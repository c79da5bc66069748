"""What is broken, missing or newer in the spool stops nothing else, and nothing of it is lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import background, spool
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases import showing
from hardwon.kernel.use_cases.capture import PATIENCE, capture
from hardwon.kernel.use_cases.spooled import BROKEN, LOCK_FILE, spool_problems
from hardwon.testing.fakes import FakeHarness, FixedClock

from .conftest import Begin, activity, contents, left


class TestWhatIsBroken:
    @pytest.mark.parametrize(
        "record",
        [b"", b"\x00\xff", b"[]", b"{}", b'{"format": 1}', b'{"format": 1, "harness": "fake", "session": "s"}',
         b'{"format": 1, "harness": "fake", "session": "s", "moment": "turn-end", "at": NaN}',
         b'{"format": 1, "harness": "fake", "session": "s", "moment": "dance", "at": 1}',
         b'{"format": 1, "harness": "fake", "session": "s", "moment": "shown", "at": 1e300, "shown": []}',
         b'{"format": 1, "harness": "fake", "session": "s", "moment": "turn-end", "at": -1}',
         b"[" * 100_000],
    )  # fmt: skip
    def test_a_broken_record_stops_no_other(self, home: Home, session: Begin, record: bytes) -> None:
        """It is set aside byte for byte, and status says so."""
        name = spool.put(str(home.path), record)
        teaching = session()
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        capture(home)
        assert contents(home) == ["Pin it."]
        assert (home.path / "spool" / BROKEN / name).read_bytes() == record
        (problem,) = spool_problems(home.path, home.clock.now().timestamp())
        assert problem.where.endswith(name)

    def test_what_a_killed_hook_had_not_finished_goes_after_a_day(
        self, home: Home, session: Begin, clock: FixedClock
    ) -> None:
        """Until then it may be a hook that is writing it."""
        session().stops()
        unfinished = home.path / "spool" / ".0123-4-abcd"
        unfinished.write_bytes(b'{"format": 1, "har')
        os.utime(unfinished, (clock.now().timestamp(), clock.now().timestamp()))
        capture(home)
        assert unfinished.exists()
        clock.advance(days=2)
        capture(home)
        assert not unfinished.exists()

    def test_a_record_of_a_newer_format_is_left_alone(self, home: Home, session: Begin) -> None:
        session().stops(format=2)
        capture(home, settle=True)
        assert len(left(home)) == 1
        (problem,) = spool_problems(home.path, home.clock.now().timestamp())
        assert "upgrade" in problem.what

    def test_a_broken_row_stops_no_other(self, home: Home, session: Begin) -> None:
        teaching = session()
        teaching.says("user: Remember: Pin it.")
        teaching.transcript.write_text("{ torn\n" + teaching.transcript.read_text("utf-8"), encoding="utf-8")
        teaching.stops()
        result = capture(home)
        assert contents(home) == ["Pin it."]
        assert len(result.problems) == 1

    def test_an_adapter_that_breaks_stops_no_other_session(
        self, home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read = FakeHarness.read

        def breaks(self: FakeHarness, path: Path) -> Any:
            if path.name.startswith("bad"):
                raise ZeroDivisionError("its own mistake")
            return read(self, path)

        monkeypatch.setattr(FakeHarness, "read", breaks)
        for name in ("bad-1", "s-2"):
            teaching = session(name)
            teaching.says(f"user: Remember: {name}.")
            teaching.stops()
        capture(home)
        assert contents(home) == ["s-2."]
        (problem,) = spool_problems(home.path, home.clock.now().timestamp())
        assert "its own mistake" in problem.what

    def test_a_projects_broken_file_stops_no_other_project(self, home: Home, session: Begin) -> None:
        """The session waits until the file is mended; what it would have said of capture counts then."""
        mine, other = session("s-1", "shop"), session("s-2", "maps")
        (mine.folder / ".hardwon.toml").write_text("capture = [broken\n", encoding="utf-8")
        for teaching in (mine, other):
            teaching.says(f"user: Remember: {teaching.name}.")
            teaching.stops()
        result = capture(home)
        assert contents(home) == ["s-2."]
        assert result.waiting == 1
        assert ".hardwon.toml" in result.problems[0].what
        (mine.folder / ".hardwon.toml").write_text("capture = true\n", encoding="utf-8")
        capture(home)
        assert contents(home) == ["s-1.", "s-2."]

    def test_a_transcript_that_is_gone_is_waited_for_a_day(self, home: Home, session: Begin, clock: FixedClock) -> None:
        """Each run says so; then it is given up, and the ledger says that."""
        session().stops()
        first = capture(home)
        assert (first.waiting, len(first.problems), len(left(home))) == (1, 1, 1)
        clock.advance(seconds=PATIENCE + 1)
        assert capture(home).lost == 1
        assert left(home) == []
        assert "lost" in activity(home)[-1].details

    @pytest.mark.parametrize("transcript", [os.devnull, os.sep])
    def test_a_transcript_that_is_no_file_is_not_read(self, home: Home, session: Begin, transcript: str) -> None:
        """The end of a device or a pipe may never come, and no other session would be taken."""
        session("s-1").stops(transcript=transcript)
        teaching = session("s-2")
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        result = capture(home)
        assert contents(home) == ["Pin it."]
        assert "is no file" in result.problems[0].what

    def test_a_transcript_that_comes_late_is_taken(self, home: Home, session: Begin) -> None:
        teaching = session()
        teaching.stops()
        capture(home)
        teaching.says("user: Remember: Pin it.")
        capture(home)
        assert contents(home) == ["Pin it."]

    def test_a_harness_that_nobody_can_read_waits(self, home: Home, session: Begin) -> None:
        """Its plugin may be installed again; status says how long it has waited."""
        teaching = session()
        teaching.says("user: Remember: Pin it.")
        teaching.stops(harness="elsewhere")
        capture(home)
        assert len(left(home)) == 1
        assert [each for each in spool_problems(home.path, home.clock.now().timestamp() + 7200) if "2 h" in each.what]

    def test_a_memory_that_cannot_be_written_leaves_the_spool_as_it_is(
        self, home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from hardwon.kernel.errors import StoreError
        from hardwon.testing.fakes.memories import FakeMemoryStore

        def full(*_: Any) -> Any:
            raise StoreError("The disk is full; make room.")

        teaching = session()
        teaching.says("user: Remember: Pin it.")
        name = teaching.stops()
        with monkeypatch.context() as patch:
            patch.setattr(FakeMemoryStore, "put", full)
            with pytest.raises(StoreError):
                capture(home)
        assert left(home) == [name]
        assert home.storage.journal.sessions() == []
        capture(home)
        assert contents(home) == ["Pin it."]


class TestWhatWasShown:
    def test_it_is_in_the_ledger_once(self, home: Home, session: Begin) -> None:
        """With its session, how it was found and its score; also when the process was killed before it removed it."""
        asked = session()
        name = asked.stops("shown", shown=[["one", "direct", 0.8], ["two", "rule", 0.5]], prompt_turn="t", lexical=True)
        data = (home.path / "spool" / name).read_bytes()
        assert capture(home).shown == 2
        (home.path / "spool" / name).write_bytes(data)
        assert capture(home).shown == 0
        first, second = home.storage.ledger.activity("shown")
        assert (first.memory, first.session, first.details["via"]) == ("one", "s-1", "direct")
        assert (second.memory, second.details["score"], second.details["lexical"]) == ("two", 0.5, True)
        assert left(home) == []

    @pytest.mark.parametrize("shown", [None, 7, [["one"]], [["one", "direct", "much"]]])
    def test_a_broken_one_stops_no_other(self, home: Home, session: Begin, shown: Any) -> None:
        asked = session()
        asked.stops("shown", shown=shown)
        asked.stops("shown", shown=[["one", "direct", 0.8]])
        assert capture(home).shown == 1

    def test_who_asks_now_takes_it_unless_a_process_is_at_it(
        self, home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two at once would tell of it twice."""
        monkeypatch.setattr(showing, "PATIENCE", 0.0)
        session().stops("shown", shown=[["one", "direct", 0.8]])
        with background.alone(home.path / LOCK_FILE):
            assert showing.take_shown(home) == 0
        assert showing.take_shown(home) == 1
        assert left(home) == []
