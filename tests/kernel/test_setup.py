"""Setup wires what is there and says why it could not; a memory is removed only where it is nothing else."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hardwon.kernel import spool
from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.harness_status import harness_statuses
from hardwon.kernel.use_cases.pausing import Pause, current_pauses, parse_duration, pause, resume
from hardwon.kernel.use_cases.setup import lesson_files, plan, prepare, remove_home, unwire, wanted_harnesses, wire
from hardwon.testing.fakes import FakeHarness, FixedClock, open_fake_home


class Silent(FakeHarness):
    """A harness that was wired long ago."""

    def status(self):
        return {**super().status(), "since": "2026-11-01T00:00:00+00:00"}


@pytest.fixture
def harness(tmp_path: Path) -> FakeHarness:
    folder = tmp_path / "harness"
    folder.mkdir()
    return FakeHarness(folder)


@pytest.fixture
def home(tmp_path: Path, harness: FakeHarness):
    with open_fake_home(tmp_path / "home") as home:
        home.registry.offer("harnesses", "fake", harness, "test")
        home.registry.offer("harnesses", "absent", FakeHarness(tmp_path / "absent"), "test")
        yield home


def test_it_means_what_is_installed_or_named(home: Home) -> None:
    """An unknown name is refused with those that there are; a known one is taken though its program is not there."""
    assert wanted_harnesses(home, []) == ["fake"]
    assert wanted_harnesses(home, ["absent", "absent"]) == ["absent"]
    with pytest.raises(NotFound, match="absent, fake"):
        wanted_harnesses(home, ["cursor"])


def test_it_does_what_it_planned(home: Home, tmp_path: Path) -> None:
    changes = plan(home, "fake").changes
    prepare(home)
    assert (home.path / "hook" / "hook").is_file()
    assert wire(home, "fake").done
    assert [change.path.read_bytes() for change in changes] == [change.after for change in changes]
    assert plan(home, "fake").changes == []
    assert unwire(home, "fake").done
    assert not (tmp_path / "harness" / "settings.json").exists()


def test_one_broken_harness_is_a_sentence(home: Home, tmp_path: Path) -> None:
    """The others can be wired all the same; its file is as it was."""
    settings = tmp_path / "harness" / "settings.json"
    settings.write_text("{ broken", encoding="utf-8")
    for step in (plan, wire, unwire):
        assert "no valid settings file" in str(step(home, "fake").problem)
    assert settings.read_text(encoding="utf-8") == "{ broken"
    assert harness_statuses(home)[0].problem


def test_what_belongs_to_another_memory_is_left_to_it(home: Home, harness: FakeHarness, tmp_path: Path) -> None:
    """And said how to take it out there."""
    harness.install(tmp_path / "other")
    result = unwire(home, "fake")
    assert not result.done
    assert f"hardwon unset fake --home {tmp_path / 'other'}" in result.to_do[0]
    assert harness.status()["installed"]
    status = harness_statuses(home)[0]
    assert not status.connected
    assert status.home == str(tmp_path / "other")


def test_a_harness_that_never_calls_is_told(home: Home, tmp_path: Path) -> None:
    """Though it is wired: hooks may be forbidden, or not trusted; `connected` alone would let a user believe."""
    home.registry.offer("harnesses", "silent", Silent(tmp_path / "harness"), "test")
    wire(home, "silent")
    looks = {each.harness: each for each in harness_statuses(home)}
    assert looks["silent"].to_do == []

    transcript = tmp_path / "harness" / "session.jsonl"
    transcript.write_text("{}\n", encoding="utf-8")
    looks = {each.harness: each for each in harness_statuses(home)}
    assert looks["silent"].connected
    assert "No hook was called" in looks["silent"].to_do[0]

    before = datetime(2026, 11, 1, tzinfo=UTC).timestamp()
    os.utime(transcript, (before, before))
    assert {each.harness: each for each in harness_statuses(home)}["silent"].to_do == []

    transcript.touch()
    spool.put(str(home.path), b"{}")
    assert {each.harness: each for each in harness_statuses(home)}["silent"].to_do == []


def test_lesson_files_are_known_by_their_names(tmp_path: Path) -> None:
    for name in ("CLAUDE.md", "Lessons.md", "README.md"):
        (tmp_path / name).touch()
    (tmp_path / "agents.md").mkdir()
    assert [path.name for path in lesson_files(tmp_path)] == ["CLAUDE.md", "Lessons.md"]


def test_a_memory_is_removed_whole(home: Home) -> None:
    (home.path / "memory").mkdir(exist_ok=True)
    remove_home(home)
    assert not home.path.exists()


@pytest.mark.parametrize("strange", ["src", ".git", "Photos"])
def test_a_folder_with_other_things_is_not_removed(home: Home, strange: str) -> None:
    """Somebody made the memory in a folder of theirs."""
    (home.path / strange).mkdir()
    with pytest.raises(InvalidInput, match=strange):
        remove_home(home)
    assert (home.path / "version").is_file()


@pytest.mark.parametrize("strange", ["notes.md", "thesis.docx", ".env", "index.html", "lessons.sqlite", "a.lock.md"])
def test_a_folder_with_other_files_is_not_removed(home: Home, strange: str) -> None:
    """Theirs may lie there without a folder of its own."""
    (home.path / strange).write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidInput, match=strange):
        remove_home(home)
    assert (home.path / strange).read_text(encoding="utf-8") == "mine"


def test_what_was_left_behind_hinders_no_removal(home: Home) -> None:
    """By SQLite, and by writes that were broken off."""
    left = (
        "index.sqlite-wal",
        "index-6.current",
        "index-6-12.sqlite-shm",
        "index-damaged-20261130-070000.sqlite",
        ".hardwon-aside-12",
        ".version-a_b1",
        "capture.lock",
    )
    for name in left:
        (home.path / name).touch()
    remove_home(home)
    assert not home.path.exists()


def test_a_folder_that_the_users_own_lies_in_is_not_removed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for user in (home.path, home.path / "memory"):
        monkeypatch.setenv("HOME", str(user))
        with pytest.raises(InvalidInput):
            remove_home(home)
    assert home.exists


def test_pauses_come_and_go(home: Home) -> None:
    """One for the same place takes the place of the first; one that is over is none."""
    assert current_pauses(home) == []
    now = home.clock.now().timestamp()
    pause(home, timedelta(hours=2), "fake", None)
    pause(home, timedelta(hours=1), "fake", None)
    pause(home, None, None, "shop")
    assert current_pauses(home) == [Pause(now + 3600, "fake"), Pause(None, None, "shop")]

    assert resume(home, None, "shop") == [Pause(None, None, "shop")]
    assert resume(home, "other", None) == []
    with open_fake_home(home.path, clock=FixedClock(home.clock.now() + timedelta(hours=1))) as later:
        assert current_pauses(later) == []
    assert resume(home, None, None) == [Pause(now + 3600, "fake")]
    assert current_pauses(home) == []


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30m", 1800), ("2h", 7200), (" 1 D ", 86400), ("1w", 604800)]
)
def test_a_time_is_a_number_and_a_letter(text: str, seconds: int) -> None:
    assert parse_duration(text).total_seconds() == seconds


@pytest.mark.parametrize("text", ["", "2", "h", "two hours", "-1h", "1.5h", "99999999999w"])
def test_no_other_time_is_understood(text: str) -> None:
    with pytest.raises(InvalidInput, match="write a number"):
        parse_duration(text)
