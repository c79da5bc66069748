"""When a session is over, what was held back is judged; what is off leaves nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.kernel.use_cases.capture import IDLE, capture
from hardwon.kernel.use_cases.pausing import pause, resume
from hardwon.kernel.use_cases.spooled import OPEN
from hardwon.testing.fakes import FakeHarness, FixedClock

from .conftest import Begin, Session, contents, left


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

    @pytest.mark.parametrize(("named", "is_taken"), [("elsewhere", False), ("home", True)])
    def test_a_repository_that_names_another_home_is_that_homes_business(
        self, home: Home, session: Begin, named: str, is_taken: bool
    ) -> None:
        teaching = session()
        (teaching.folder / ".hardwon.toml").write_text(f'home = "{home.path.parent / named}"\n', encoding="utf-8")
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        capture(home, settle=True)
        assert contents(home) == (["Pin it."] if is_taken else [])

    def test_a_package_of_a_project_that_is_off_is_off(self, home: Home, session: Begin) -> None:
        (home.path / "config.toml").write_text('[projects."example.org/shop"]\ncapture = false\n', encoding="utf-8")
        teaching = session()
        (teaching.folder / ".hardwon.toml").write_text('package = "api"\n', encoding="utf-8")
        teaching.says("user: Remember: Pin it.")
        teaching.stops()
        assert capture(home, settle=True).learned.turns["off"] == 1
        assert contents(home) == []

    @pytest.mark.parametrize(
        ("only", "package", "left_out"),
        [
            ({}, "", True),
            ({"project": "example.org/shop"}, "", True),
            ({"project": "example.org/shop"}, "api", True),
            ({"project": "example.org/shop/api"}, "", False),
            ({"project": "example.org/maps"}, "", False),
        ],
    )
    def test_what_was_said_in_a_pause_is_not_taken_later(
        self,
        home: Home,
        session: Begin,
        clock: FixedClock,
        monkeypatch: pytest.MonkeyPatch,
        only: Any,
        package: str,
        left_out: bool,
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
        (teaching.folder / ".hardwon.toml").write_text(f'package = "{package}"\n', encoding="utf-8")
        teaching.says("user: anything")
        teaching.stops()
        capture(home)
        assert contents(home) == (["0.", "2."] if left_out else ["0.", "1.", "2."])
