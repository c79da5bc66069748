"""How many lessons a second `import` takes, with their commit: `python tests/benchmarks/bench_import.py [LESSONS]`.

The whole use case is measured in process on the files store, from the JSON Lines to the finished commit, without
embeddings. The baseline of the same run writes as many files of the same size, each aside and renamed. The target is
1,000 lessons a second on a quiet machine.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.importing import import_files

LESSONS = 5000
PROJECTS = 40
TARGET = 1000
WORDS = [
    "scheduler",
    "cache",
    "queue",
    "parser",
    "socket",
    "index",
    "migration",
    "deadlock",
    "timeout",
    "retry",
    "webhook",
    "token",
    "session",
    "thread",
    "replica",
    "broker",
    "consumer",
    "pipeline",
    "encoding",
    "locale",
    "invoice",
    "ledger",
    "checkout",
    "crawler",
    "renderer",
    "codec",
    "driver",
    "loader",
    "proxy",
    "backup",
]


def write_lessons(path: Path, count: int) -> None:
    """Write lessons of some 300 characters, a quarter of them with their parts."""
    chance = random.Random(7)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            record = {
                "id": f"lesson-{number}",
                "project": f"project-{number % PROJECTS}",
                "content": " ".join(chance.choice(WORDS) for _ in range(40)).capitalize() + ".",
                "valid_at": "2025-11-30",
            }
            if number % 4 == 0:
                record["lesson"] = {"principle": " ".join(chance.choice(WORDS) for _ in range(12))}  # type: ignore[assignment]
            file.write(json.dumps(record) + "\n")


def bare_files(folder: Path, lines: list[str]) -> float:
    """Return the seconds that it takes to write each line to a file of its own, aside and renamed."""
    start = time.perf_counter()
    for project in range(PROJECTS):
        (folder / f"project-{project}").mkdir(parents=True)
    for number, line in enumerate(lines):
        path = folder / f"project-{number % PROJECTS}" / f"{number}.md"
        aside = path.with_name(f".{number}.tmp")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(line)
        aside.replace(path)
    return time.perf_counter() - start


def main() -> None:
    """Print the figures; exit with 1 when the target is missed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else LESSONS
    with tempfile.TemporaryDirectory() as where:
        source = Path(where) / "lessons.jsonl"
        write_lessons(source, count)
        bare = bare_files(Path(where) / "bare", source.read_text(encoding="utf-8").splitlines())
        with Home(Path(where) / "home") as home:
            home.create()
            _ = home.storage
            start, processor = time.perf_counter(), time.process_time()
            (report,) = import_files(home, [source], project_of={})
            taken, processor = time.perf_counter() - start, time.process_time() - processor
    assert len(report.taken) == count
    print(f"import   {count / taken:7,.0f} lessons/s ({taken:.2f} s, processor {processor:.2f} s)")
    print(f"files    {count / bare:7,.0f} files/s written alone; ratio {taken / bare:.1f}")
    sys.exit(count / taken < TARGET)


if __name__ == "__main__":
    main()
