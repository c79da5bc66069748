"""What sessions say becomes journal and memory, with where it came from."""

from __future__ import annotations

import json

from hardwon.kernel.home import Home
from hardwon.kernel.injection import Shown, render
from hardwon.kernel.memory import Status
from hardwon.kernel.use_cases.capture import capture
from hardwon.kernel.use_cases.sessions import import_sessions
from hardwon.testing.fakes import FakeHarness

from .conftest import Begin, activity, contents, everything


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
        assert everything(home)[0].source.turn == "m1"
        assert "- bash: make (failed: no rule)" in home.storage.journal.of_session("s-1")[1].said

    def test_such_a_turn_is_the_same_when_it_is_imported_later(
        self, home: Home, session: Begin, harness: FakeHarness
    ) -> None:
        """Each message of a person begins a turn, which has its id: as in the transcripts of those harnesses."""
        rows = [("m1", "user", "Remember: Pin it."), ("m2", "user", "And go on."), ("m3", "agent", "Done.")]
        teaching = session()
        said = [{"id": id, "by": by, "text": text} for id, by, text in rows]
        teaching.stops(transcript=None, size=None, messages=said)
        capture(home, settle=True)
        lines = [json.dumps({"id": id, "session": "s-1", "by": by, "text": text}) + "\n" for id, by, text in rows]
        teaching.transcript.write_text("".join(lines), encoding="utf-8")
        assert dict(+import_sessions(home, harness.name).learned.turns) == {"known": 2}
