"""TimerConformance: what the system is made to do is shown before, done once, and taken back exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.ports import Timer

LINE, OTHER_LINE = "30 3 * * *", "15 4 * * 0"
STRANGE = [
    "a home",
    "家/记忆",
    "100%/50% of it",
    'it\'s "quoted"',
    "$HOME and `date`",
    "#hash",
    "-dash",
    "tail ",
    "a*b",
]


class TimerConformance:
    """What every Timer promises. Give the fixtures `timer`: one that is not missing, and `snapshot`."""

    @pytest.fixture
    def snapshot(self) -> Callable[[], object]:
        """Return a function that returns everything the timer may change, as values that can be compared."""
        raise NotImplementedError("Override the fixture `snapshot`.")

    def test_nothing_is_there_at_first(self, timer: Timer, tmp_path: Path) -> None:
        """Taking back what was never done changes nothing."""
        assert timer.missing() is None
        assert not timer.installed(tmp_path)
        assert not timer.is_current(tmp_path, LINE)
        assert timer.remove(tmp_path) == []

    @pytest.mark.parametrize("name", STRANGE)
    def test_what_is_installed_is_taken_back_exactly(
        self, timer: Timer, snapshot: Callable[[], object], tmp_path: Path, name: str
    ) -> None:
        """Whatever the home is called."""
        home = tmp_path / name
        before = snapshot()
        assert timer.install(home, LINE)
        assert timer.installed(home)
        assert timer.is_current(home, LINE)
        assert snapshot() != before
        assert timer.remove(home)
        assert snapshot() == before
        assert not timer.installed(home)

    def test_installing_again_changes_nothing(
        self, timer: Timer, snapshot: Callable[[], object], tmp_path: Path
    ) -> None:
        """And says that there was nothing to do."""
        timer.install(tmp_path, LINE)
        before = snapshot()
        assert timer.install(tmp_path, LINE) == []
        assert snapshot() == before

    def test_other_times_take_the_place_of_the_first(
        self, timer: Timer, snapshot: Callable[[], object], tmp_path: Path
    ) -> None:
        """One home has one timer."""
        before = snapshot()
        timer.install(tmp_path, LINE)
        assert not timer.is_current(tmp_path, OTHER_LINE)
        timer.install(tmp_path, OTHER_LINE)
        assert timer.is_current(tmp_path, OTHER_LINE)
        assert not timer.is_current(tmp_path, LINE)
        timer.remove(tmp_path)
        assert snapshot() == before

    def test_two_homes_do_not_touch_each_other(
        self, timer: Timer, snapshot: Callable[[], object], tmp_path: Path
    ) -> None:
        """Neither of two whose names begin alike; taken back in any order, nothing is left."""
        first, second = tmp_path / "home", tmp_path / "home 2"
        before = snapshot()
        timer.install(first, LINE)
        timer.install(second, OTHER_LINE)
        assert timer.is_current(first, LINE)
        timer.remove(first)
        assert timer.is_current(second, OTHER_LINE)
        assert not timer.installed(first)
        timer.remove(second)
        assert snapshot() == before

    def test_a_preview_changes_nothing(self, timer: Timer, snapshot: Callable[[], object], tmp_path: Path) -> None:
        """And names the home."""
        before = snapshot()
        assert str(tmp_path) in timer.preview(tmp_path, LINE)
        assert snapshot() == before
