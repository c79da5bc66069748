"""From the spool to a memory that recall finds, with real processes: the worker, killed ones, two at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import spool
from hardwon.kernel.home import Home

from .fake_harness import SETTINGS, plug_in

DRIVER = Path(__file__).with_name("capture_killed.py")


@pytest.fixture
def environment(environment: dict[str, str], tmp_path: Path, install_plugin: Callable[..., None]) -> dict[str, str]:
    """Return the environment of a user who has the fake harness, and a memory."""
    plugged = plug_in(environment, tmp_path, install_plugin)
    Home(plugged.home).create()
    return plugged.environment


@pytest.fixture
def home(environment: dict[str, str]) -> Path:
    return Path(environment["HARDWON_HOME"])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "user" / "shop"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def said(tmp_path: Path, home: Path, project: Path) -> Callable[..., None]:
    """Return a function that lets a session say lines and end its turn."""

    def say(session: str, *lines: str, moment: str = "turn-end", at: float = 1_770_000_000.0) -> None:
        transcript = tmp_path / "harness" / f"{session}.jsonl"
        with transcript.open("a", encoding="utf-8") as file:
            for number, line in enumerate(lines):
                by, _, text = line.partition(": ")
                row = {"id": f"{session}-{file.tell()}-{number}", "session": session, "by": by, "text": text}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        record = {
            "format": 1, "harness": "fake", "moment": moment, "session": session, "folder": str(project),
            "transcript": str(transcript), "size": transcript.stat().st_size, "turn": None, "at": at,
        }  # fmt: skip
        spool.put(str(home), json.dumps(record).encode())

    return say


def worker(home: Path, environment: dict[str, str], largest_file: int | None = None) -> subprocess.Popen[bytes]:
    """Start the worker as the hook program does; no file that it writes can become larger than `largest_file`."""
    command = [sys.executable, "-P", "-m", "hardwon.kernel.use_cases.capture_process", str(home)]
    if largest_file is not None:
        limit = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({largest_file}, {largest_file}))"
        command = [sys.executable, "-c", f"{limit}; os.execv(sys.argv[1], sys.argv[1:])", *command]
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)


def test_what_a_session_taught_is_recalled(
    home: Path, environment: dict[str, str], said: Callable[..., None], answer: Callable[..., Any]
) -> None:
    """The worker takes it and ends; recall finds it, the journal tells of it, git has it in one commit."""
    said("s-1", "user: Remember: Pin the runner image, a floating tag broke the build.", "agent: Done.")
    assert worker(home, environment).wait(timeout=60) == 0
    (hit,) = answer("recall", "the build broke with a floating runner image")["hits"]
    assert hit["content"] == "Pin the runner image, a floating tag broke the build."
    shown = answer("show", hit["id"])
    assert shown["source"]["session"] == "s-1"
    assert shown["source"]["evidence"].startswith("Remember: Pin")
    (day,) = (home / "memory" / "daily").iterdir()
    assert "**user**\n\n> Remember: Pin the runner image" in day.read_text(encoding="utf-8")
    log = ["git", "-C", str(home / "memory"), "log", "--format=%s"]
    messages = subprocess.run(log, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()
    assert messages == ["Capture a session of fake (s-1)", "Begin the memory"]


def test_consolidation_takes_what_waits_first(
    home: Path, said: Callable[..., None], answer: Callable[..., Any]
) -> None:
    """Without any worker."""
    said("s-1", "user: Why?", "agent: Root cause: The tag floats.")
    assert answer("consolidate")["captured"]["kept"] == 1
    assert spool.waiting(str(home)) == []


def test_two_workers_at_once_take_everything_once(
    home: Path, environment: dict[str, str], said: Callable[..., None], answer: Callable[..., Any]
) -> None:
    """Records that come while they work are taken too."""
    for number in range(30):
        said(f"s-{number}", f"user: Remember: Lesson number {number}.")
    workers = [worker(home, environment) for _ in range(3)]
    for number in range(30, 40):
        said(f"s-{number}", f"user: Remember: Lesson number {number}.")
    assert [each.wait(timeout=120) for each in workers] == [0, 0, 0]
    assert worker(home, environment).wait(timeout=60) == 0
    assert spool.waiting(str(home)) == []
    counts = answer("stats")
    assert counts["kinds"] == {"lesson": 40}


def test_a_store_that_is_missing_leaves_everything_in_the_spool(
    home: Path, environment: dict[str, str], said: Callable[..., None], answer: Callable[..., Any]
) -> None:
    """However old it is; the next worker takes it."""
    said("s-0", "user: Remember: First.")
    assert worker(home, environment).wait(timeout=60) == 0
    said("s-1", "user: Remember: Second.")
    (home / "config.toml").write_text("store = 'elsewhere'\n", encoding="utf-8")
    worker(home, environment).wait(timeout=60)
    assert len(spool.waiting(str(home))) == 1
    (home / "config.toml").write_text(SETTINGS, encoding="utf-8")
    assert worker(home, environment).wait(timeout=60) == 0
    assert answer("stats")["kinds"] == {"lesson": 2}


def test_a_full_disk_leaves_everything_in_the_spool(
    home: Path, environment: dict[str, str], said: Callable[..., None], answer: Callable[..., Any]
) -> None:
    """The worker ends; once there is room, the next one takes everything."""
    said("s-0", "user: Remember: First.")
    assert worker(home, environment).wait(timeout=60) == 0
    said("s-1", "user: Remember: Second.")
    for size in (1, 300, 2_000, 20_000):
        worker(home, environment, largest_file=size).wait(timeout=60)
        assert len(spool.waiting(str(home))) == 1
    assert worker(home, environment).wait(timeout=60) == 0
    assert answer("stats")["kinds"] == {"lesson": 2}
    assert answer("doctor")["healthy"]


def test_a_capture_killed_at_any_write_loses_and_doubles_nothing(
    home: Path, environment: dict[str, str], said: Callable[..., None]
) -> None:
    """Each memory, turn and showing is there once, nothing is left, wrong or uncommitted."""
    said("s-1", "user: Remember: One.", "agent: Root cause: Two.")
    said("s-2", "user: Remember: Three.")
    shown = {"format": 1, "harness": "fake", "moment": "shown", "session": "s-2", "folder": "/", "at": 1.0}
    spool.put(str(home), json.dumps({**shown, "shown": [["m-1", "direct", 0.5]]}).encode())
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(home)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) > 10, "the writes of a capture were not seen"
    expected = {
        "memories": ["One.", "Three.", "Two."],
        "turns": [["s-1", 1], ["s-2", 1]],
        "blocks": 2,
        "shown": ["m-1"],
        "problems": [],
        "left": [],
        "unclean": "",
    }
    for each in rounds:
        assert {name: each[name] for name in expected} == expected, each


def test_nothing_is_written_beside_the_transcript_or_into_the_project(
    home: Path, environment: dict[str, str], said: Callable[..., None], project: Path, tmp_path: Path
) -> None:
    """The user's folders are only read."""
    (project / ".git").mkdir()
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    said("s-1", "user: Remember: One.")
    said("s-1", "user: Remember: Two.")
    before = _files(project), _files(tmp_path / "harness")
    assert worker(home, environment).wait(timeout=60) == 0
    assert (_files(project), _files(tmp_path / "harness")) == before


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.rglob("*"))}
