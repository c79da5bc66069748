"""What was done can be listed, and one import or one session taken back, and taken again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.capture import capture
from hardwon.kernel.use_cases.forgotten import load_forgotten, words_trace
from hardwon.kernel.use_cases.importing import import_files
from hardwon.kernel.use_cases.operations import operations
from hardwon.kernel.use_cases.remembering import forget
from hardwon.kernel.use_cases.reverting import revert
from hardwon.kernel.use_cases.sessions import import_sessions
from hardwon.testing.examples import complete_decision
from hardwon.testing.fakes import FixedClock

from .conftest import HARNESS, Session

Begin = Callable[..., Session]


def standing(home: Home) -> list[str]:
    return sorted(entry.content for entry in home.storage.memories.scan(Filter()))


def archived(home: Home) -> list[str]:
    found = home.storage.memories.scan(Filter(statuses=(Status.ARCHIVED,)))
    return sorted(entry.content for entry in found if entry.times.retracted_at)


def live(session: Begin, home: Home, name: str = "s-1", said: str = "One.") -> Session:
    """Let a session teach something, and capture it."""
    teaching = session(name)
    teaching.says(f"user: Remember: {said}", "agent: Done.")
    teaching.stops()
    capture(home)
    return teaching


class TestTheLog:
    def test_everything_that_was_done_is_listed_newest_first(
        self, home: Home, session: Begin, clock: FixedClock
    ) -> None:
        """Captured sessions, imports, decisions, consolidations, reverts."""
        live(session, home)
        clock.advance(minutes=1)
        home.storage.ledger.append([Activity(kind="consolidate", at=clock.now(), details={"lessons": 4, "added": 1})])
        clock.advance(minutes=1)
        session("s-2").says("user: Remember: Two.")
        import_sessions(home, HARNESS)
        clock.advance(minutes=1)
        revert(home, "s-1")
        home.storage.ledger.decide(complete_decision())
        found = operations(home)
        assert [each.kind for each in found] == ["decision", "revert", "import", "consolidate", "session"]
        assert [each.at for each in found] == sorted((each.at for each in found), reverse=True)
        by_kind = {each.kind: each for each in found}
        assert (by_kind["session"].id, by_kind["session"].about) == ("s-1", "fake")
        assert (by_kind["session"].counts["kept"], len(by_kind["session"].memories)) == (1, 1)
        assert by_kind["revert"].about == "session s-1"
        assert by_kind["decision"].id == complete_decision().proposal

    def test_a_session_is_one_line_however_often_something_was_taken(self, home: Home, session: Begin) -> None:
        teaching = live(session, home)
        teaching.says("user: Remember: Two.")
        teaching.stops()
        capture(home)
        (told,) = operations(home)
        assert (told.counts["kept"], len(told.memories)) == (2, 2)

    def test_what_was_lost_is_told(self, home: Home, session: Begin, clock: FixedClock) -> None:
        session().stops()
        clock.advance(days=2)
        capture(home)
        (told,) = operations(home)
        assert "s-1.jsonl" in told.notes[0]


class TestRevert:
    def test_a_session_is_taken_back(self, home: Home, session: Begin) -> None:
        """Its memories lie in the archive, its words are out of the journal; the others stay."""
        live(session, home)
        live(session, home, "s-2", "Two.")
        done = revert(home, "s-1")
        assert (done.kind, done.turns, [entry.content for entry in done.memories]) == ("session", 1, ["One."])
        assert (standing(home), archived(home)) == (["Two."], ["One."])
        assert home.storage.journal.of_session("s-1") == []
        assert home.storage.kept.history[-1] == "Take back the session s-1"  # type: ignore[attr-defined]

    def test_a_session_that_goes_on_does_not_bring_it_back(self, home: Home, session: Begin) -> None:
        """Only what is said from then on is taken."""
        teaching = live(session, home)
        revert(home, "s-1")
        teaching.says("user: Remember: Two.")
        teaching.stops()
        capture(home, settle=True)
        assert standing(home) == ["Two."]

    def test_an_import_is_taken_back(self, home: Home, session: Begin) -> None:
        """What it took, and not what the session itself told before."""
        teaching = live(session, home)
        teaching.says("user: Remember: Two.")
        session("s-2").says("user: Remember: Three.")
        result = import_sessions(home, HARNESS)
        assert standing(home) == ["One.", "Three.", "Two."]
        done = revert(home, result.id[:12])
        assert (done.kind, done.turns) == ("import", 2)
        assert standing(home) == ["One."]
        assert [each.session for each in home.storage.journal.sessions() if each.turns > each.retracted] == ["s-1"]

    def test_it_can_be_taken_again(self, home: Home, session: Begin) -> None:
        """By an import that is told to, and by no other; under the ids that it had."""
        session().says("user: Remember: One.", "agent: Root cause: Two.")
        first = import_sessions(home, HARNESS)
        revert(home, first.id)
        assert import_sessions(home, HARNESS).learned.turns["retracted"] == 1
        assert standing(home) == []
        again = import_sessions(home, HARNESS, again=True)
        assert {entry.id for entry in again.learned.kept} >= {entry.id for entry in first.learned.kept}
        assert "One." in standing(home)
        assert len(home.storage.journal.of_session("s-1")) == 1

    def test_taking_again_brings_back_what_was_forgotten_and_not_what_was_archived(
        self, home: Home, session: Begin
    ) -> None:
        """What a person put into the archive otherwise was not taken back by a revert."""
        session().says("user: Remember: One.", "user: Remember: Two.", "user: Remember: Three.")
        kept = {entry.content: entry for entry in import_sessions(home, HARNESS).learned.kept}
        home.storage.memories.update(kept["One."].id, {"status": Status.ARCHIVED})
        forget(home, kept["Two."])
        assert import_sessions(home, HARNESS).learned.kept == []
        import_sessions(home, HARNESS, again=True)
        assert standing(home) == ["Three.", "Two."]
        assert load_forgotten(home) & {words_trace(kept["Two."])} == set()

    def test_an_import_of_files_is_taken_back_and_taken_again(self, home: Home, tmp_path: Path) -> None:
        """All files of one import together."""
        paths = [tmp_path / "a.lessons", tmp_path / "b.lessons"]
        for path in paths:
            path.write_text(f"From {path.name}.", encoding="utf-8")
        import_files(home, paths, project_of=dict.fromkeys(paths, "shop"))
        (told,) = operations(home)
        assert told.counts["taken"] == 2
        assert len(revert(home, told.id).memories) == 2
        assert standing(home) == []
        assert [each.known for each in import_files(home, paths, project_of=dict.fromkeys(paths, "shop"))] == [1, 1]
        import_files(home, paths, project_of=dict.fromkeys(paths, "shop"), forgotten_too=True)
        assert standing(home) == ["From a.lessons.", "From b.lessons."]

    def test_taking_back_twice_changes_nothing_more(self, home: Home, session: Begin) -> None:
        live(session, home)
        revert(home, "s-1")
        done = revert(home, "s-1")
        assert (done.memories, done.turns) == ((), 0)

    def test_what_is_unknown_or_fits_several_is_refused(self, home: Home, session: Begin) -> None:
        """By the whole name one is always found."""
        live(session, home, "s-1")
        live(session, home, "s-12", "Two.")
        for name in ("nobody", ""):
            with pytest.raises(NotFound):
                revert(home, name)
        with pytest.raises(Ambiguous):
            revert(home, "s-")
        assert revert(home, "s-1").id == "s-1"

    def test_what_is_under_way_in_the_spool_stays_taken_back(self, home: Home, session: Begin) -> None:
        """The record of a session that goes on brings nothing back when it is settled."""
        teaching = session()
        teaching.says("user: Remember: One.", "agent: Root cause: Two.")
        teaching.stops()
        capture(home)
        revert(home, "s-1")
        capture(home, settle=True)
        assert standing(home) == []


def test_operations_survive_json(home: Home, session: Begin) -> None:
    """What `log --json` prints can be read back."""
    from dataclasses import asdict

    live(session, home)
    (told,) = json.loads(json.dumps([asdict(each) for each in operations(home)], default=str))
    assert (told["kind"], told["id"]) == ("session", "s-1")
