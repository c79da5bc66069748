"""Off means off: everywhere, in a harness, in a project by any of its names, for a while, in a repository."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from hardwon.testing.wired_home import WiredHome


def did(wired: WiredHome, **environment: str) -> tuple[bool, bool]:
    """Return whether the end of a turn is captured, and whether the memory speaks at a session's start."""
    known = len(wired.records())
    wired.run(wired.event("Stop", transcript="/t"), **environment)
    captured = len(wired.records()) > known
    return captured, bool(wired.said(wired.event("Start", source="startup"), **environment))


def test_on_it_is_unless_somebody_says_otherwise(wired: WiredHome) -> None:
    assert did(wired) == (True, True)


@pytest.mark.parametrize("value", ["off", "OFF"])
def test_what_we_start_ourselves_triggers_nothing(wired: WiredHome, value: str) -> None:
    assert did(wired, HARDWON_HOOKS=value) == (False, False)
    assert not (wired.home / "spool").exists()


@pytest.mark.parametrize(
    ("table", "expected"),
    [({"capture": False}, (False, True)), ({"recall": False}, (True, False))],
)
def test_a_harness_can_be_off(wired: WiredHome, table: dict[str, bool], expected: tuple[bool, bool]) -> None:
    wired.data["harnesses"]["tester"] |= table
    wired.write_data()
    assert did(wired) == expected


@pytest.mark.parametrize(
    ("pause", "expected"),
    [
        ({"until": None}, (False, False)),
        ({"until": None, "harness": None, "project": None}, (False, False)),
        ({"until": 1000}, (False, False)),
        ({"until": -1000}, (True, True)),
        ({"until": None, "harness": "tester"}, (False, False)),
        ({"until": None, "harness": "other"}, (True, True)),
        ({"until": None, "project": "example.org/team/shop"}, (False, False)),
        ({"until": None, "project": "the-old-name"}, (False, False)),
        ({"until": None, "project": "elsewhere"}, (True, True)),
        ({"until": None, "harness": "other", "project": "example.org/team/shop"}, (True, True)),
    ],
)
def test_a_pause_holds_for_its_time_harness_and_project(
    wired: WiredHome, pause: dict[str, Any], expected: tuple[bool, bool]
) -> None:
    """A number says how many seconds from now it ends."""
    if pause["until"] is not None:
        pause = {"until": time.time() + pause["until"]}
    _repository(wired)
    (wired.home / "memory").mkdir()
    (wired.home / "memory" / "projects.toml").write_text(
        'version = 1\n[aliases]\n"the-old-name" = "example.org/team/shop"\n', encoding="utf-8"
    )
    wired.write_data(paused=[pause])
    assert did(wired) == expected


def _repository(wired: WiredHome) -> None:
    (wired.folder / ".git").mkdir()
    (wired.folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    config = '[remote "origin"]\n\turl = git@example.org:team/shop.git\n'
    (wired.folder / ".git" / "config").write_text(config, encoding="utf-8")


def test_a_project_can_be_off_and_its_packages_with_it(wired: WiredHome) -> None:
    _repository(wired)
    wired.write_data(projects={"example.org/team/shop": {"capture": False, "recall": True}})
    assert did(wired) == (False, True)
    (wired.folder / "api").mkdir()
    (wired.folder / "api" / ".hardwon.toml").write_text('package = "api"\n', encoding="utf-8")
    wired.folder = wired.folder / "api"
    assert did(wired) == (False, True)


def test_a_repository_can_say_so_itself_for_all_that_lies_in_it(wired: WiredHome) -> None:
    (wired.folder / ".hardwon.toml").write_text("capture = false\n", encoding="utf-8")
    inner = wired.folder / "a" / "b"
    inner.mkdir(parents=True)
    wired.folder = inner
    assert did(wired) == (False, True)
    (inner / ".hardwon.toml").write_text("recall = false\n", encoding="utf-8")
    assert did(wired) == (False, False)


def test_a_repository_that_names_another_home_is_no_business_of_this_one(wired: WiredHome, tmp_path: Path) -> None:
    """A customer's memory is apart: what is said there is captured there, or nowhere."""
    (wired.folder / ".hardwon.toml").write_text('home = "../customer"\n', encoding="utf-8")
    assert did(wired) == (False, False)
    other = wired.folder.parent / "customer"
    shutil.copytree(wired.home, other)
    assert wired.said(wired.event("Start", source="startup"))
    wired.run(wired.event("Stop", transcript="/t"))
    assert not (wired.home / "spool").exists()
    assert len(list((other / "spool").glob("*.json"))) == 1
    (other / "version").write_text("2\n", encoding="ascii")
    assert did(wired) == (False, False)


def test_a_home_that_a_repository_brings_along_names_no_program_and_ends_no_pause(
    wired: WiredHome, tmp_path: Path
) -> None:
    """A repository may come from anybody: what runs, the user's own home says; the last argument is the home."""
    other = wired.folder / "home"
    (wired.folder / ".hardwon.toml").write_text('home = "home"\n', encoding="utf-8")
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    wired.write_data(worker=["/bin/sh", "-c", f"touch {theirs}"])
    shutil.copytree(wired.home, other)
    wired.write_data(worker=["/bin/sh", "-c", f'echo "$0" > {ours}.part; mv {ours}.part {ours}', str(wired.home)])
    wired.run(wired.event("Stop", transcript="/t"), HARDWON_NO_BACKGROUND="")
    until = time.monotonic() + 20
    while not ours.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert ours.read_text(encoding="utf-8").strip() == str(other)
    assert not theirs.exists()
    wired.write_data(paused=[{"until": None}])
    wired.run(wired.event("Stop", transcript="/t"))
    assert len(list((other / "spool").glob("*.json"))) == 1


def test_a_repository_that_names_this_home_is_served(wired: WiredHome) -> None:
    (wired.folder / ".hardwon.toml").write_text(f'home = "{wired.home}"\n', encoding="utf-8")
    assert did(wired) == (True, True)


@pytest.mark.parametrize(
    "text",
    ["capture = fal", 'capture = "no"', "recall = 0", "capture = []", "home = 5", f"capture = {5_000 * '['}"],
)
def test_a_file_that_cannot_be_read_or_says_nonsense_and_may_mean_off_is_off(wired: WiredHome, text: str) -> None:
    (wired.folder / ".hardwon.toml").write_text(text, encoding="utf-8")
    assert did(wired) == (False, False)


@pytest.mark.parametrize(
    "text",
    ["capture = fal", "recall = 5", "harnesses = []", "harnesses.tester = 5", "projects = 5", "recall.limit = 'few'",
     f"a = {5_000 * '['}"],
)  # fmt: skip
def test_settings_that_were_edited_to_nonsense_change_nothing_yet(wired: WiredHome, text: str) -> None:
    """What was set before holds until they are mended; `status` says what is wrong."""
    (wired.home / "config.toml").write_text(f"{text}\n", encoding="utf-8")
    assert did(wired) == (True, True)


def test_sub_agents_are_left_alone_unless_the_harness_is_set_to_more(wired: WiredHome) -> None:
    payload = wired.event("Stop", transcript="/t", agent_id="a1")
    wired.run(payload)
    assert wired.records() == []
    assert wired.said(wired.event("Start", source="startup", agent_id="a1")) == ""
    wired.data["harnesses"]["tester"]["subagents"] = True
    wired.write_data()
    wired.run(payload)
    assert len(wired.records()) == 1
    assert wired.said(wired.event("Start", source="startup", agent_id="a1"))


def test_settings_that_were_edited_by_hand_hold_at_once(wired: WiredHome) -> None:
    """Nobody has to run `setup` again to be left alone."""
    (wired.home / "config.toml").write_text("[harnesses.tester]\ncapture = false\nrecall = false\n", encoding="utf-8")
    assert did(wired) == (False, False)
    (wired.home / "config.toml").write_text("[harnesses.tester]\n", encoding="utf-8")
    assert did(wired) == (True, True)


def test_broken_settings_leave_what_was_set_before(wired: WiredHome) -> None:
    wired.data["harnesses"]["tester"]["capture"] = False
    wired.write_data()
    (wired.home / "config.toml").write_text("capture = tr", encoding="utf-8")
    assert did(wired) == (False, True)


@pytest.mark.parametrize("version", ["2\n", "99", "no number", ""])
def test_a_home_of_another_format_is_not_touched(wired: WiredHome, version: str) -> None:
    (wired.home / "version").write_text(version, encoding="ascii")
    before = sorted(path for path in wired.home.rglob("*"))
    assert did(wired) == (False, False)
    assert sorted(path for path in wired.home.rglob("*")) == before


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 2}', "null"])
def test_data_that_cannot_be_read_are_silence(wired: WiredHome, content: str) -> None:
    (wired.home / "hook" / "data.json").write_text(content, encoding="utf-8")
    assert did(wired) == (False, False)


def test_a_harness_that_nobody_wired_is_silence(wired: WiredHome) -> None:
    wired.write_data(harnesses={})
    assert did(wired) == (False, False)
