"""What was captured is captured once, whoever says it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hardwon.kernel.extraction import Extract
from hardwon.kernel.home import Home
from hardwon.kernel.journal import Standing
from hardwon.kernel.use_cases.capture import capture
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeExtractor

from .conftest import Begin, activity, contents, everything, left


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

    def test_a_newer_extractor_that_words_it_otherwise_takes_nothing_twice(
        self, home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same words of the same turn are quoted; what it finds beside them is new."""
        teaching = session()
        teaching.says("user: Remember: Pin the runner image.\nThe cache is shared by all branches.", "agent: Done.")
        teaching.stops()
        capture(home)
        extract = FakeExtractor.extract

        def newer(self: FakeExtractor, turns: Any, *, ended: bool) -> list[Extract]:
            (found,) = extract(self, turns, ended=ended)
            beside = "The cache is shared by all branches."
            return [
                replace(found, content="Runner images are pinned here.", evidence="Pin the runner image."),
                replace(found, content=beside, evidence=beside),
            ]

        monkeypatch.setattr(FakeExtractor, "extract", newer)
        capture(home, settle=True)
        assert contents(home) == ["Pin the runner image.", "The cache is shared by all branches."]
