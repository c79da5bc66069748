"""`schedule show`, `install` and `remove`: the timer that is there, and a sentence where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.generalizer.schedule.actions import install, remove, show
from hardwon.kernel.errors import InvalidInput, Unavailable, UsageError
from hardwon.kernel.home import Home
from hardwon.testing.fakes import FakeTimer, open_fake_home


@pytest.fixture
def timers() -> dict[str, FakeTimer]:
    return {"systemd": FakeTimer("There is no systemd here; use cron."), "cron": FakeTimer()}


@pytest.fixture
def home(tmp_path: Path, timers: dict[str, FakeTimer]) -> Iterator[Home]:
    with open_fake_home(tmp_path / "home") as home:
        for name, timer in timers.items():
            home.registry.offer("timers", name, lambda timer=timer: timer, "test")
        yield home


def test_the_timer_that_is_there_is_taken(home: Home, timers: dict[str, FakeTimer]) -> None:
    assert install(home).data["timer"] == "cron"
    assert timers["cron"].lines == {home.path: "30 3 * * *"}
    assert install(home).data["changed"] == []
    assert "by cron" in show(home).text
    assert remove(home).data["changed"]
    assert timers["cron"].lines == {}
    assert remove(home).text == "Nothing was installed for this memory."


def test_a_dry_run_shows_and_changes_nothing(home: Home, timers: dict[str, FakeTimer]) -> None:
    assert f"30 3 * * * {home.path}" in install(home, dry_run=True).text
    assert timers["cron"].lines == {}


def test_where_no_timer_is_there_it_says_why(home: Home, timers: dict[str, FakeTimer]) -> None:
    timers["cron"]._why_missing = "There is no `crontab` here; install cron."
    with pytest.raises(Unavailable, match=r"hardwon serve.*no systemd.*no `crontab`"):
        install(home)
    assert "by nobody" in show(home).text


def test_one_timer_is_named_at_most(home: Home) -> None:
    with pytest.raises(UsageError):
        install(home, cron=True, systemd=True)


def test_other_times_are_installed_anew(home: Home) -> None:
    """The setting was changed, the timer does not know."""
    install(home)
    (home.path / "config.toml").write_text('[schedule]\nconsolidate = "0 5 * * *"\n', encoding="utf-8")
    home.__dict__.pop("settings")
    assert "run `hardwon schedule install` again" in show(home).text
    assert install(home).data["changed"]


def test_nothing_is_installed_for_a_schedule_of_nothing(home: Home) -> None:
    (home.path / "config.toml").write_text('[schedule]\nconsolidate = ""\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"schedule\.consolidate is empty"):
        install(home)
