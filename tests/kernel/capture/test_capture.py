"""What sessions say becomes journal and memory, once, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.injection import Shown, render
from hardwon.kernel.journal import Standing
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.kernel.use_cases.capture import IDLE, PATIENCE, capture
from hardwon.kernel.use_cases.pausing import pause, resume
from hardwon.kernel.use_cases.spooled import BROKEN, OPEN, spool_problems
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeHarness, FixedClock

from .conftest import Session

Begin = Callable[..., Session]


def contents(home: Home) -> list[str]:
    return sorted(entry.content for entry in everything(home))


def everything(home: Home) -> list[MemoryEntry]:
    return list(home.storage.memories.scan(Filter(statuses=None)))


def left(home: Home, folder: str = "") -> list[str]:
    return spool.waiting(str(home.path), f"{spool.FOLDER}/{folder}".rstrip("/"))


def activity(home: Home) -> list[Activity]:
    return list(home.storage.ledger.activity("capture"))


class TestATurn:
    def test_what_was_taught_is_kept_with_where_it_came_from(self, home: Home, session: Begin) -> None:
        """Who said it, in which session, which turn and file, the quoted words, when, on which project."""
        teaching = session()
        teaching.says("user: The build is red.\nRemember: Pin the runner image.", "agent: Done.")
        teaching.stops()
        capture(home)
        (entry,) = everything(home)
        assert entry.content == "Pin the runner image."
        assert entry.scope.project == "example.org/shop"
        source = entry.source
        assert (source.said_by, source.harness, source.session, source.turn) == ("user", "fake", "s-1", "s-1-1")
        assert (source.file, source.evidence) == (str(teaching.transcript), "Remember: Pin the runner image.")
        assert entry.times.valid_at is None
        assert (entry.confidence, entry.status) == (0.9, Status.ACTIVE)

    def test_everything_that_was_said_is_in_the_journal(self, home: Home, session: Begin) -> None:
        """Also what teaches nothing, and what the write gate refused."""
        teaching = session()
        teaching.says("user: Why is it red?\nRefuse: Call it v2.", "agent: The certificate expired.")
        teaching.stops()
        result = capture(home)
        (block,) = home.storage.journal.of_session("s-1")
        assert "Call it v2." in block.said
        assert "The certificate expired." in block.said
        assert block.project == "example.org/shop"
        assert contents(home) == []
        assert dict(result.learned.refused) == {"It holds for this task alone.": 1}
        (told,) = activity(home)
        assert (told.session, told.details["kept"], told.details["refused"]) == ("s-1", 0, dict(result.learned.refused))

    def test_what_is_doubtful_is_observed_only(self, home: Home, session: Begin) -> None:
        teaching = session()
        teaching.says("user: Perhaps: The cache is shared.")
        teaching.stops()
        capture(home)
        assert [entry.status for entry in everything(home)] == [Status.OBSERVED]

    def test_what_belongs_to_no_project_is_observed_only(self, home: Home, session: Begin) -> None:
        """A session in the home directory teaches no other project unasked."""
        teaching = session()
        teaching.says("user: Remember: Pin it.")
        teaching.stops(folder="/")
        capture(home)
        assert [(entry.scope.project, entry.status) for entry in everything(home)] == [(None, Status.OBSERVED)]

    def test_private_words_are_in_no_memory_and_no_journal(self, home: Home, session: Begin) -> None:
        teaching = session()
        teaching.says("user: <private>Remember: My name is Anna.</private> Go on.")
        teaching.stops()
        capture(home)
        assert contents(home) == []
        assert "Anna" not in home.storage.journal.of_session("s-1")[0].said

    def test_what_hardwon_showed_is_in_no_memory_and_no_journal(self, home: Home, session: Begin) -> None:
        """Whoever repeats the block, and wherever in the words it stands."""
        ours = render([Shown("id", "lesson", "Pin it.", None, "2026-01-01")]).text.replace(
            "Pin it.", "\nRemember: Pin."
        )
        teaching = session()
        teaching.says(f"user: Go on.\n{ours}", f"agent: {ours}\nDone.")
        teaching.stops()
        capture(home)
        assert contents(home) == []
        said = home.storage.journal.of_session("s-1")[0].said
        assert "Pin." not in said
        assert "Go on." in said
        assert "Done." in said

    def test_secrets_are_gone_before_anybody_cuts_a_text(self, home: Home, session: Begin) -> None:
        """Memory, evidence and journal have a mark in their place."""
        teaching = session()
        teaching.says("user: Remember: The door is opensesame.")
        teaching.stops()
        capture(home)
        (entry,) = everything(home)
        assert entry.content == "The door is [redacted: word]."
        assert entry.source.evidence == "Remember: The door is [redacted: word]."
        assert "opensesame" not in home.storage.journal.of_session("s-1")[0].said

    def test_only_what_was_written_then_is_certain(self, home: Home, session: Begin) -> None:
        """What came into the transcript after the event is left for the next one."""
        teaching = session()
        teaching.says("user: Remember: Pin it.", "agent: Done.")
        teaching.stops()
        teaching.says("user: Remember: No, let it float.")
        capture(home)
        assert contents(home) == ["Pin it."]
        teaching.stops()
        capture(home)
        assert contents(home) == ["No, let it float.", "Pin it."]
        assert not (home.path / "spool" / "reading").exists() or not list((home.path / "spool" / "reading").iterdir())

    def test_a_harness_without_transcripts_tells_it_in_the_event(self, home: Home, session: Begin) -> None:
        """What two events both hold counts once; a person's words begin a turn."""
        teaching = session()
        first = [{"id": "m1", "by": "user", "text": "Remember: Pin it."}, {"id": "m2", "by": "agent", "text": "Done."}]
        more = [{"id": "m3", "by": "tool", "tool": "bash", "request": "make", "text": "no rule", "failed": True}]
        teaching.stops(transcript=None, size=None, turn="t", messages=first)
        capture(home)
        teaching.stops(transcript=None, size=None, turn="t", messages=[*first, *more])
        capture(home)
        assert contents(home) == ["Pin it."]
        assert [block.turn for block in home.storage.journal.of_session("s-1")] == ["m1", "m1"]
        assert "- bash: make (failed: no rule)" in home.storage.journal.of_session("s-1")[1].said


class TestOnce:
    def test_a_second_run_finds_nothing_to_do(self, home: Home, session: Begin) -> None:
        teaching = session()
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        capture(home)
        again = capture(home)
        assert (again.sessions, len(contents(home)), len(activity(home))) == (0, 1, 1)

    def test_a_session_that_goes_on_adds_what_is_new(self, home: Home, session: Begin) -> None:
        teaching = session()
        for lesson in ("Pin it.", "Measure first.", "Ask before you push."):
            teaching.says(f"user: Remember: {lesson}", "agent: Done.")
            teaching.stops()
            capture(home)
        assert contents(home) == ["Ask before you push.", "Measure first.", "Pin it."]
        assert len(home.storage.journal.of_session("s-1")) == 3

    def test_the_same_words_are_kept_once_in_a_project(self, home: Home, session: Begin) -> None:
        """Case, marks and spaces aside; another project learns it for itself."""
        for name, of, words in (("s-1", "shop", "Pin it!"), ("s-2", "shop", "pin  IT."), ("s-3", "maps", "Pin it.")):
            teaching = session(name, of)
            teaching.says(f"user: Remember: {words}")
            teaching.stops()
        result = capture(home)
        assert sorted((entry.scope.project, entry.content) for entry in everything(home)) == [
            ("example.org/maps", "Pin it."),
            ("example.org/shop", "Pin it!"),
        ]
        assert result.learned.known == 1

    def test_what_a_person_wrote_already_is_known(self, home: Home, session: Begin) -> None:
        home.storage.memories.put([memory("Pin the runner.", "example.org/shop"), memory("Everywhere: ask.")])
        teaching = session()
        teaching.says("user: Remember: pin the runner", "user: Remember: everywhere, ask!")
        teaching.stops()
        assert capture(home).learned.known == 2

    def test_what_was_forgotten_does_not_come_back(self, home: Home, session: Begin) -> None:
        from hardwon.kernel.use_cases.remembering import forget

        teaching = session()
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        capture(home)
        forget(home, everything(home)[0])
        other = session("s-2")
        other.says("user: Remember: Pin it.")
        other.stops()
        assert capture(home).learned.forgotten == 1
        assert contents(home) == []

    def test_what_recall_showed_is_not_learned_from_the_agent(self, home: Home, session: Begin) -> None:
        """The agent repeats it in other words; the person's own words count."""
        shown = memory("Pin the runner image, since the floating tag broke the build.", "example.org/shop")
        home.storage.memories.put([shown])
        teaching = session()
        teaching.says("user: Go.", "agent: Remember: The runner image was broken: pin the floating tag.")
        teaching.stops("shown", shown=[[shown.id, "direct", 0.8]], prompt_turn="t", lexical=True)
        teaching.stops()
        result = capture(home)
        assert contents(home) == [shown.content]
        assert dict(result.learned.refused) == {"Recall showed it in this session.": 1}

    def test_a_copied_turn_teaches_nothing_twice(self, home: Home, session: Begin) -> None:
        """A session that was resumed under another name holds the earlier turns again."""
        long = "The nightly build is red since the runner image moved; find out which package is missing and why. "
        first = session()
        first.says(f"user: {long}\nRemember: Pin it.", "agent: The package yaml is missing from the lock file.")
        first.stops()
        capture(home)
        resumed = session("s-2")
        resumed.says(f"user: {long}\nRemember: Pin it.", "agent: The package yaml is missing from the lock file.")
        resumed.says("user: Remember: Measure first.")
        resumed.stops()
        result = capture(home)
        assert result.learned.turns[Standing.ELSEWHERE] == 1
        assert contents(home) == ["Measure first.", "Pin it."]
        assert [block.turn for block in home.storage.journal.of_session("s-2")] == ["s-2-3"]

    def test_two_runs_at_once_are_one(self, home: Home, session: Begin) -> None:
        """Who comes second does nothing and says so."""
        from hardwon.kernel import background
        from hardwon.kernel.use_cases.spooled import LOCK_FILE

        session().stops()
        with background.alone(home.path / LOCK_FILE):
            assert capture(home).busy
        assert len(left(home)) == 1


class TestTheEndOfASession:
    CLAIM = ("user: Why is it red?", "agent: Root cause: The tag floats.")

    def teach(self, teaching: Session) -> None:
        teaching.says(*self.CLAIM)
        teaching.stops()

    def test_a_claim_is_held_back_while_it_may_be_overturned(self, home: Home, session: Begin) -> None:
        """The record waits with it, and is not looked at again for nothing."""
        self.teach(session())
        capture(home)
        assert contents(home) == []
        assert (len(left(home)), len(left(home, OPEN))) == (0, 1)
        assert capture(home).sessions == 0

    def test_the_harness_says_that_it_ended(self, home: Home, session: Begin) -> None:
        teaching = session()
        self.teach(teaching)
        capture(home)
        teaching.stops("session-end")
        capture(home)
        assert contents(home) == ["The tag floats."]
        assert left(home) == left(home, OPEN) == []

    def test_nothing_came_for_a_while(self, home: Home, session: Begin, clock: FixedClock) -> None:
        self.teach(session())
        capture(home)
        clock.advance(seconds=IDLE)
        capture(home)
        assert contents(home) == ["The tag floats."]

    def test_the_clock_was_put_back(self, home: Home, session: Begin, clock: FixedClock) -> None:
        """Nobody waits for a time to come that was there already."""
        teaching = session()
        teaching.says(*self.CLAIM)
        teaching.stops(at=clock.now().timestamp() + 86_400)
        capture(home)
        assert contents(home) == ["The tag floats."]

    def test_a_later_session_of_the_project_began(self, home: Home, session: Begin) -> None:
        self.teach(session())
        session("s-2", "maps").stops()
        capture(home)
        assert contents(home) == []
        session("s-3").stops()
        capture(home)
        assert contents(home) == ["The tag floats."]

    def test_consolidation_settles_all(self, home: Home, session: Begin) -> None:
        self.teach(session())
        capture(home, settle=True)
        assert contents(home) == ["The tag floats."]
        assert left(home, OPEN) == []

    def test_a_session_that_goes_on_after_its_end_is_open_again(self, home: Home, session: Begin) -> None:
        teaching = session()
        self.teach(teaching)
        capture(home, settle=True)
        teaching.says("user: Remember: Pin it.", "agent: Root cause: Another one.")
        teaching.stops()
        capture(home)
        assert contents(home) == ["Pin it.", "The tag floats."]


class TestOff:
    @pytest.mark.parametrize(
        "settings",
        [
            '[projects."example.org/shop"]\ncapture = false\n',
            "[harnesses.fake]\ncapture = false\n",
        ],
    )
    def test_what_is_off_leaves_nothing(self, home: Home, session: Begin, settings: str) -> None:
        """Neither memory nor journal, and nothing in the spool."""
        (home.path / "config.toml").write_text(settings, encoding="utf-8")
        teaching = session()
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        result = capture(home, settle=True)
        assert contents(home) == []
        assert home.storage.journal.sessions() == []
        assert left(home) == left(home, OPEN) == []
        assert result.learned.turns["off"] == 1

    def test_a_repository_turns_itself_off(self, home: Home, session: Begin) -> None:
        teaching = session()
        (teaching.folder / ".hardwon.toml").write_text("capture = false\n", encoding="utf-8")
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        capture(home, settle=True)
        assert contents(home) == []

    @pytest.mark.parametrize(("only", "left_out"), [({}, True), ({"project": "example.org/maps"}, False)])
    def test_what_was_said_in_a_pause_is_not_taken_later(
        self, home: Home, session: Begin, clock: FixedClock, monkeypatch: pytest.MonkeyPatch, only: Any, left_out: bool
    ) -> None:
        """The transcript holds it; what was said before and after the pause is taken."""
        times = [clock.now()]
        clock.advance(minutes=10)
        pause(home, timedelta(days=1), only.get("harness"), only.get("project"))
        times.append(clock.advance(minutes=10))
        clock.advance(minutes=10)
        resume(home, None, None)
        times.append(clock.advance(minutes=10))
        turns = [
            Turn("fake", "s-1", f"t-{number}", (Message(f"m-{number}", Speaker.USER, f"Remember: {number}.", at),), at)
            for number, at in enumerate(times)
        ]
        monkeypatch.setattr(FakeHarness, "read", lambda _self, _path: iter(turns))
        teaching = session()
        teaching.says("user: anything")
        teaching.stops()
        capture(home)
        assert contents(home) == (["0.", "2."] if left_out else ["0.", "1.", "2."])


class TestWhatIsBroken:
    @pytest.mark.parametrize(
        "record",
        [b"", b"\x00\xff", b"[]", b"{}", b'{"format": 1}', b'{"format": 1, "harness": "fake", "session": "s"}',
         b'{"format": 1, "harness": "fake", "session": "s", "moment": "turn-end", "at": NaN}',
         b'{"format": 1, "harness": "fake", "session": "s", "moment": "dance", "at": 1}',
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

    def test_a_transcript_that_is_gone_is_waited_for_a_day(self, home: Home, session: Begin, clock: FixedClock) -> None:
        """Each run says so; then it is given up, and the ledger says that."""
        session().stops()
        first = capture(home)
        assert (first.waiting, len(first.problems), len(left(home))) == (1, 1, 1)
        clock.advance(seconds=PATIENCE + 1)
        assert capture(home).lost == 1
        assert left(home) == []
        assert "lost" in activity(home)[-1].details

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
