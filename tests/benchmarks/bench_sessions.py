"""What sessions cost: `python tests/benchmarks/bench_sessions.py [SESSIONS] [--harness NAME] [--transcripts FOLDER]`.

Transcripts in Claude Code's form are made (20 turns of four tool calls each), or read from a folder. Measured in one
process on the files store, without embeddings: an import from the transcripts to the finished commit, the same import
again, live capture of one session turn by turn, a spool of 10,000 records, and searches of the journal. The baseline of
the same run parses the same rows as JSON and does nothing else. Processor time, since the machine is shared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.capture import capture
from hardwon.kernel.use_cases.sessions import import_sessions

SESSIONS, TURNS, TOOLS = 100, 20, 4
RECORDS = 10_000
WORDS = (
    *("the", "build", "cache", "broke", "when", "runner", "image", "moved", "so", "we", "pin", "version", "retry"),
    *("upload", "token", "expired", "certificate", "database", "migration", "lock", "timeout", "queue", "worker"),
    *("deploy", "staging", "flaky", "test", "clock", "mock", "import", "path", "config", "settings"),
)


def write_sessions(folder: Path, count: int) -> None:
    """Write the transcripts of sessions in ten projects."""
    chance = random.Random(1)
    for number in range(count):
        rows = list(_rows(chance, f"session-{number}", datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=3 * number)))
        path = folder / f"session-{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        os.utime(path, (1_770_000_000 + number, 1_770_000_000 + number))


def _rows(chance: random.Random, session: str, at: datetime) -> Iterator[dict[str, Any]]:
    def said(words: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(words)).capitalize() + "."

    def row(kind: str, content: Any) -> dict[str, Any]:
        id = f"{chance.getrandbits(128):032x}"
        about = {"sessionId": session, "uuid": id, "cwd": f"/srv/{session[-1]}", "timestamp": at.isoformat()}
        return {"type": kind, **about, "message": {"role": kind, "content": content}}

    for turn in range(TURNS):
        at += timedelta(minutes=3)
        yield row("user", said(25) + (f" Always pin the image {said(5)}" if turn % 5 == 0 else ""))
        for number in range(TOOLS):
            call = {"type": "tool_use", "id": f"{turn}-{number}", "name": "Bash", "input": {"command": said(3)}}
            yield row("assistant", [{"type": "text", "text": said(30)}, call])
            result = {"type": "tool_result", "tool_use_id": call["id"], "content": said(300), "is_error": number == 1}
            yield row("user", [result])
        yield row("assistant", [{"type": "text", "text": said(80)}])


@contextmanager
def measured(what: str, told: Callable[[float], str]) -> Iterator[None]:
    """Print what the block cost."""
    start, processor = time.perf_counter(), time.process_time()
    yield
    processor, wall = time.process_time() - processor, time.perf_counter() - start
    print(f"{what:<34} processor {processor:6.2f} s, wall {wall:6.2f} s  {told(processor)}")


def live(home: Home, harness: str, transcript: Path, work: Path) -> None:
    """Let a session write its transcript turn by turn, and capture each."""
    rows = transcript.read_text(encoding="utf-8").splitlines(keepends=True)
    target, each = work / transcript.name, len(rows) // TURNS
    for turn in range(TURNS):
        with target.open("a", encoding="utf-8") as file:
            file.writelines(rows[turn * each : (turn + 1) * each])
        spool.put(str(home.path), record(harness, target))
        capture(home)


def record(harness: str, transcript: Path, **other: Any) -> bytes:
    """Return a record of the spool."""
    plain = {
        "format": 1, "harness": harness, "moment": "turn-end", "session": transcript.stem, "folder": "/srv/0",
        "transcript": str(transcript), "size": transcript.stat().st_size, "turn": None, "at": time.time(),
    }  # fmt: skip
    return json.dumps(plain | other).encode()


def full_spool(home: Home, harness: str, transcripts: list[Path]) -> None:
    """Fill the spool with records, a third of which tell what was shown."""
    for number in range(RECORDS):
        path = transcripts[number % len(transcripts)]
        shown = {"moment": "shown", "shown": [["one", "direct", 0.5], ["two", "rule", 0.4]]} if number % 3 == 0 else {}
        spool.put(str(home.path), record(harness, path, **shown))


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("sessions", type=int, nargs="?", default=SESSIONS)
    options.add_argument("--harness", default="claude-code")
    options.add_argument("--transcripts", type=Path)
    given = options.parse_args()
    os.environ["HARDWON_NO_BACKGROUND"] = "1"
    with tempfile.TemporaryDirectory() as where:
        folder = given.transcripts or Path(where) / "transcripts"
        if given.transcripts is None:
            folder.mkdir()
            write_sessions(folder, given.sessions)
        measure(Path(where), given.harness, folder)


def opened(path: Path) -> Home:
    """Return a new home with its store, redactor and extractor loaded."""
    home = Home(path)
    home.create()
    home.redactor.redact("warm")
    home.registry.get("extractors", home.settings.extractor)(home)
    return home


def measure(where: Path, harness: str, folder: Path) -> None:
    """Measure everything over the transcripts of a folder."""
    transcripts = sorted(folder.rglob("*.jsonl"))
    size = sum(path.stat().st_size for path in transcripts) / 1e6
    with measured(f"JSON alone of {size:.0f} MB", lambda cost: f"{size / cost:.0f} MB/s"):
        for path in transcripts:
            for line in path.read_bytes().splitlines():
                json.loads(line)
    with opened(where / "import") as home:
        turns = 1
        with measured("import", lambda cost: f"{turns / cost:,.0f} turns/s ({turns:,} turns)"):
            turns = import_sessions(home, harness, [folder]).learned.turns.total()
        with measured("the same again", lambda _: ""):
            assert import_sessions(home, harness, [folder]).learned.turns.total() == 0
        for question in ("the certificate of the staging worker expired", "giraffe"):
            with measured(f"journal: “{question[:20]}”", lambda _: ""):
                home.storage.journal.search(question)
    with opened(where / "live") as home:
        home.storage.problems()
        with measured(f"live, {TURNS} turns of one session", lambda cost: f"{cost / TURNS * 1000:.0f} ms a turn"):
            live(home, harness, transcripts[0], where)
    with opened(where / "spool") as home:
        full_spool(home, harness, transcripts)
        with measured(f"a spool of {RECORDS:,} records", lambda cost: f"{RECORDS / cost:,.0f} records/s"):
            capture(home, settle=True)
        assert spool.waiting(str(home.path)) == []


if __name__ == "__main__":
    main()
