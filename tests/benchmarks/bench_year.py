"""What a year of use leaves on disk: `python tests/benchmarks/bench_year.py [DAYS] [--sessions N] [--months N]`.

Fifty sessions a day of two turns each, one in twenty-five of which teaches something, each with two prompts that are
shown two memories; a run of `consolidate` each night; no model, no embeddings, no network. The clock is set, so that a
year takes minutes; what is captured is taken in five times a day, and the history is packed as the background does it.
Printed are the bytes and files of each part of the home, each quarter and at the end, and what `status` and `doctor`
take then.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.hook.session_state import SessionState
from hardwon.kernel.query import Filter
from hardwon.kernel.registry import registry
from hardwon.kernel.use_cases.capture import capture
from hardwon.kernel.use_cases.doctor import examine
from hardwon.kernel.use_cases.running.run import run
from hardwon.kernel.use_cases.status import home_status
from hardwon.stores.files.git.repository import Repository
from hardwon.stores.files.upkeep import keep_up
from hardwon.testing.fakes import FakeHarness

HARNESS = "year"
TEACHING = 25
"""One session of so many teaches something."""
BATCHES = 5
PROJECTS = 12
WORDS = (
    *("the", "build", "cache", "broke", "when", "runner", "image", "moved", "version", "retry", "staging", "deploy"),
    *("upload", "token", "expired", "certificate", "database", "migration", "lock", "timeout", "queue", "worker"),
)
PARTS = {
    "memory/.git": "history",
    "memory/daily": "journal",
    "memory": "memories, rules, queue",
    "activity": "activity",
    "spool": "spool",
    "hook": "hook's state",
    "index": "index",
}


class SetClock:
    """The clock of a home that is used in a year that passes quickly."""

    def __init__(self, year: Year) -> None:
        self._year = year

    def now(self) -> datetime:
        return self._year.now


class Year:
    """A home that is used day after day."""

    def __init__(self, where: Path, *, sessions: int = 50, months: int = 13, begin: datetime | None = None) -> None:
        self.path = where / "home"
        self.now = begin or datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=365)
        self.sessions = sessions
        self._code, self._transcripts = where / "code", where / "transcripts"
        self._transcripts.mkdir(parents=True)
        self._chance = random.Random(1)
        self._count = 0
        offers = registry()
        if HARNESS not in offers.all("harnesses"):
            offers.offer("harnesses", HARNESS, FakeHarness(self._transcripts), "benchmark")
        self.home = Home(self.path, clock=SetClock(self), registry=offers)
        self.home.create()
        text = f'embedder = "none"\n[activity]\nkeep_months = {months}\n'
        (self.path / "config.toml").write_text(text, encoding="utf-8")

    def day(self) -> None:
        """Live through a day and its night."""
        for number in range(self.sessions):
            self._session()
            self.now += timedelta(hours=10) / self.sessions
            if number % max(1, self.sessions // BATCHES) == 0:
                capture(self.home)
        capture(self.home, settle=True)
        for path in self._transcripts.glob("*.jsonl"):
            path.unlink()
        self.now = self.now.replace(hour=3, minute=30) + timedelta(days=1)
        run(self.home, "serve")
        keep_up(self.path, Repository(self.path / "memory"))
        self.now = self.now.replace(hour=9, minute=0)

    def _session(self) -> None:
        self._count += 1
        name = f"session-{self._count}"
        transcript = self._transcripts / f"{name}.jsonl"
        said = [f"Look at {self._said(4)}", f"And at {self._said(4)}"]
        if self._count % TEACHING == 0:
            said[0] = f"Remember: always check that {self._said(8)}"
        rows = [
            {"id": f"{name}-{number}-{by}", "session": name, "by": by, "text": text}
            for number, text in enumerate(said)
            for by, text in (("user", text), ("agent", self._said(20)))
        ]
        transcript.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        state = SessionState(str(self.path), HARNESS, name)
        for _ in range(2):
            shown = [[f"m{self._chance.randrange(1000)}", "direct", 0.5] for _ in range(2)]
            self._put(name, transcript, moment="shown", shown=shown)
            state.add(str(id) for id, *_ in shown)
        for file in (self.path / "hook" / "sessions").glob(f"*{name.encode().hex()}"):
            os.utime(file, (self.now.timestamp(), self.now.timestamp()))
        state.prune()
        self._put(name, transcript, moment="session-end")

    def _put(self, name: str, transcript: Path, **other: Any) -> None:
        folder = self._code / f"project-{self._count % PROJECTS}"
        folder.mkdir(parents=True, exist_ok=True)
        plain = {
            "format": 1, "harness": HARNESS, "session": name, "folder": str(folder), "transcript": str(transcript),
            "size": transcript.stat().st_size, "turn": None, "at": self.now.timestamp(),
        }  # fmt: skip
        spool.put(str(self.path), json.dumps(plain | other).encode())

    def _said(self, words: int) -> str:
        return " ".join(self._chance.choice(WORDS) for _ in range(words)) + f" {self._chance.randrange(10**6)}."

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Return bytes and files by part of the home."""
        size: Counter[str] = Counter()
        files: Counter[str] = Counter()
        for path in self.path.rglob("*"):
            if path.is_file():
                relative = str(path.relative_to(self.path))
                part = next((name for start, name in PARTS.items() if relative.startswith(start)), "other")
                size[part] += path.stat().st_size
                files[part] += 1
        return {part: (size[part], files[part]) for part in (*PARTS.values(), "other")}


def told(year: Year, day: int) -> None:
    """Print the sizes after so many days."""
    lessons = sum(1 for _ in year.home.storage.memories.scan(Filter()))
    print(f"day {day}: {day * year.sessions:,} sessions, {lessons:,} memories", flush=True)
    for part, (size, files) in year.sizes().items():
        print(f"    {part:<24} {size / 1e6:8.2f} MB {files:7,} files", flush=True)


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("days", type=int, nargs="?", default=365)
    options.add_argument("--sessions", type=int, default=50)
    options.add_argument("--months", type=int, default=13)
    given = options.parse_args()
    os.environ |= {"HARDWON_NO_BACKGROUND": "1", "HARDWON_LOAD_PLUGINS": ""}
    with tempfile.TemporaryDirectory() as where:
        year = Year(Path(where), sessions=given.sessions, months=given.months)
        began = time.process_time()
        for day in range(1, given.days + 1):
            year.day()
            if day % 91 == 0 or day == given.days:
                told(year, day)
        print(f"simulated in {time.process_time() - began:.0f} s of processor time")
        for name, look in (
            ("status", lambda: home_status(year.home, Path(where))),
            ("doctor", lambda: examine(year.home)),
        ):
            began = time.process_time()
            look()
            print(f"{name}: {time.process_time() - began:.2f} s of processor time")


if __name__ == "__main__":
    main()
