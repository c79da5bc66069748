"""A home of fakes with a harness whose sessions a test writes down, and a spool that a test fills."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.capture import IDLE
from hardwon.testing.fakes import FakeHarness, FixedClock, open_fake_home

HARNESS = "fake"


def everything(home: Home) -> list[MemoryEntry]:
    """Return every memory, whatever its status."""
    return list(home.storage.memories.scan(Filter(statuses=None)))


def contents(home: Home) -> list[str]:
    """Return what every memory says, in alphabetical order."""
    return sorted(entry.content for entry in everything(home))


def left(home: Home, folder: str = "") -> list[str]:
    """Return the records in the spool, or in a folder of it."""
    return spool.waiting(str(home.path), f"{spool.FOLDER}/{folder}".rstrip("/"))


def activity(home: Home) -> list[Activity]:
    """Return what the ledger tells of captures."""
    return list(home.storage.ledger.activity("capture"))


@dataclass
class Session:
    """One session with the fake harness: what is said goes into its transcript."""

    home: Path
    folder: Path
    transcript: Path
    clock: FixedClock
    name: str = "s-1"
    said: int = field(default=0)

    def says(self, *lines: str) -> None:
        """Write rows such as `user: Remember: pin it.`."""
        with self.transcript.open("a", encoding="utf-8") as file:
            for line in lines:
                self.said += 1
                by, _, text = line.partition(": ")
                row = {"id": f"{self.name}-{self.said}", "session": self.name, "by": by, "text": text}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def stops(self, moment: str = "turn-end", **other: Any) -> str:
        """Put the event into the spool, as the hook program does; return the record's name."""
        record = {
            "format": 1,
            "harness": HARNESS,
            "moment": moment,
            "session": self.name,
            "folder": str(self.folder),
            "transcript": str(self.transcript),
            "size": self.transcript.stat().st_size if self.transcript.exists() else None,
            "turn": None,
            "at": self.clock.now().timestamp(),
        }
        return spool.put(str(self.home), json.dumps(record | other).encode())


Begin = Callable[..., Session]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def harness(tmp_path: Path) -> FakeHarness:
    folder = tmp_path / "harness"
    folder.mkdir()
    return FakeHarness(folder)


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock, harness: FakeHarness) -> Home:
    return open_fake_home(tmp_path / "home", clock=clock, harnesses={HARNESS: harness})


@pytest.fixture
def project(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that makes the folder of a project that a remote names."""

    def make(name: str) -> Path:
        folder = tmp_path / "code" / name
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        config = f'[remote "origin"]\n\turl = https://example.org/{name}.git\n'
        (folder / ".git" / "config").write_text(config, encoding="utf-8")
        return folder

    return make


@pytest.fixture
def session(
    home: Home, harness: FakeHarness, clock: FixedClock, project: Callable[[str], Path]
) -> Callable[..., Session]:
    """Return a function that begins a session in a project."""
    folders: dict[str, Path] = {}

    def begin(name: str = "s-1", of: str = "shop") -> Session:
        if of not in folders:
            folders[of] = project(of)
        transcript = harness._folder / f"{name}.jsonl"
        return Session(home.path, folders[of], transcript, clock, name)

    return begin


def aged(path: Path, home: Home) -> Path:
    """Make a transcript one that nobody has written to for a while."""
    moment = home.clock.now().timestamp() - IDLE - 1
    os.utime(path, (moment, moment))
    return path


@pytest.fixture
def past(session: Begin, home: Home) -> Callable[..., Path]:
    """Return a function that leaves the transcript of a past session."""

    def leave(name: str, *lines: str, of: str = "shop") -> Path:
        teaching = session(name, of)
        teaching.says(*lines)
        return aged(teaching.transcript, home)

    return leave
