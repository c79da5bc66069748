"""How long a coding agent waits for the hook program: `python tests/benchmarks/bench_hook.py [MEMORIES] [HOME]`.

Whole processes, as a harness starts them, beside bare interpreters in the same run. The home has 100,000 memories, all
written in bulk; with HOME it is kept and used again. Targets, on a quiet machine: capture p50 ≤ 2 ×
`python -S -E -c pass`; prompt recall p50 ≤ 2 × and p95 ≤ 4 × `python -S -E -c 'import json, sqlite3, socket'`.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shlex
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.hook_program import hook_command, write_hook
from hardwon.stores.files.indexing.index_format import current_name
from hardwon.stores.files.indexing.rows import put_entries
from hardwon.stores.search.index import SearchIndex

ROUNDS = 60
SEED = 7
PROJECTS = 40
SUBJECTS = (
    "the payment service", "the staging database", "the dashboard", "the nightly job", "the auth gateway",
    "the mobile app", "the build pipeline",
    "the search index", "the billing cron", "the flag store", "the websocket hub", "the resizer",
    "the audit log", "the mail queue", "the config loader", "the rate limiter", "the cache", "the importer",
)  # fmt: skip
TROUBLES = (
    "fails when", "must be restarted after", "silently drops rows if", "needs a retry because", "runs twice whenever",
    "times out once", "returns stale data while", "leaks memory after", "was migrated since", "prefers UTC since",
)  # fmt: skip
CAUSES = (
    "the connection pool is exhausted", "a migration is pending", "the clock drifts", "two workers share a lock",
    "the token expires in flight", "a column is renamed", "the vendor changes its limits", "the disk is full",
    "unicode names reach the parser", "the certificate is renewed", "a header is missing", "the queue is drained twice",
)  # fmt: skip
FIXES = (
    "pin the driver", "raise the timeout", "run the backfill first", "add an idempotency key", "use a read replica",
    "write a regression test", "disable the flag", "rotate the credentials", "write in batches",
    "ask the platform team",
)  # fmt: skip
TABLE = {
    "title": "Benchmark",
    "events": {"Prompt": "prompt", "Stop": "turn-end", "Start": "session-start"},
    "fields": {
        "event": "event", "session": "session", "folder": "cwd", "transcript": "transcript", "prompt": "prompt",
        "source": "source",
    },
    "answers": {"Prompt": {"text": "$text"}, "Start": {"text": "$text"}},
}  # fmt: skip
PYTHON = [getattr(sys, "_base_executable", sys.executable), "-S", "-E", "-c"]


def invented_words(chance: random.Random) -> tuple[list[str], list[float]]:
    """Return words and how common each is, by Zipf's law."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = sorted({"".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(20_000)})
    chance.shuffle(words)
    return words, [1 / rank for rank in range(5, len(words) + 5)]


def note(chance: random.Random, words: Sequence[str]) -> str:
    """Return a lesson: what happened in few common words, and what it was about in rarer ones."""
    what = f"{chance.choice(SUBJECTS)} {chance.choice(TROUBLES)} {chance.choice(CAUSES)}"
    return f"{what.capitalize()}; {chance.choice(FIXES)} and {chance.choice(FIXES)}. It concerns {', '.join(words)}."


def entries(count: int, chance: random.Random) -> list[MemoryEntry]:
    """Return memories of several projects, learned one every ten minutes."""
    words, weights = invented_words(chance)
    rare = chance.choices(words, weights, k=count * 6)
    start = datetime(2024, 6, 1, tzinfo=UTC)
    return [
        MemoryEntry(
            id=new_id(start + timedelta(minutes=10 * number)),
            content=note(chance, rare[number * 6 : number * 6 + 6]),
            scope=Scope(project=f"example.org/team/project-{chance.randrange(PROJECTS)}"),
            times=Times(asserted_at=start + timedelta(minutes=10 * number)),
        )
        for number in range(count)
    ]


def fill(home: Home, memories: Sequence[MemoryEntry]) -> None:
    """Write the memories' files and their rows, past the store, which commits each to the history."""
    folder = home.path / "memory" / "digest" / "bench"
    folder.mkdir(parents=True)
    name = current_name(str(home.path))
    assert name is not None
    connection = sqlite3.connect(home.path / name)
    files = []
    for memory in memories:
        path = folder / f"{memory.id}.md"
        path.write_text(memory.content, encoding="utf-8")
        found = path.stat()
        name = f"digest/bench/{memory.id}.md"
        files.append((name, "digest/bench", found.st_size, found.st_mtime_ns, found.st_ino, memory.id))
    with connection:
        put_entries(connection, ((memory, f"digest/bench/{memory.id}.md") for memory in memories))
        connection.executemany(
            "INSERT INTO files (path, folder, size, mtime_ns, inode, id) VALUES (?, ?, ?, ?, ?, ?)", files
        )
        search = SearchIndex(connection)
        search.add(memories)
        search.settle()
    connection.close()


def prepare(path: Path, count: int) -> Home:
    """Return a home with so many memories, made unless it is there."""
    home = Home(path)
    if not (path / "made").exists():
        shutil.rmtree(path, ignore_errors=True)
        home.create()
        (path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        now = datetime.now(UTC)
        home.storage.memories.put(
            [MemoryEntry(id=new_id(now), content="A first memory.", times=Times(asserted_at=now))]
        )
        home.close()
        home = Home(path)
        begun = time.perf_counter()
        fill(home, entries(count, random.Random(SEED)))
        (path / "made").touch()
        print(f"{count} memories written in {time.perf_counter() - begun:.0f} s")
    for left in ("spool", "hook"):  # what an earlier run was shown is not shown again
        shutil.rmtree(path / left, ignore_errors=True)
    write_hook(home)
    data = json.loads((path / "hook" / "data.json").read_text(encoding="utf-8"))
    data["harnesses"]["bench"] = TABLE
    (path / "hook" / "data.json").write_text(json.dumps(data), encoding="utf-8")
    return home


def project(folder: Path, number: int) -> Path:
    """Return a repository whose remote names a project of the memories."""
    root = folder / f"project-{number}"
    (root / ".git").mkdir(parents=True, exist_ok=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    config = f'[remote "origin"]\n\turl = git@example.org:team/project-{number}.git\n'
    (root / ".git" / "config").write_text(config, encoding="utf-8")
    return root


def prompts(chance: random.Random) -> dict[str, Callable[[], str]]:
    """Return by length how to make a prompt: a question, a page, and a log of 15 kB."""
    words, weights = invented_words(chance)

    def question() -> str:
        rare = " ".join(chance.choices(words, weights, k=4))
        return f"Why does {chance.choice(SUBJECTS)} fail, {chance.choice(CAUSES)}? {rare}"

    def log(characters: int) -> str:
        lines = [question(), "", "Traceback (most recent call last):"]
        while sum(map(len, lines)) + len(lines) < characters:
            name = "_".join(chance.choices(words, weights, k=2))
            lines.append(
                f"2026-11-30T05:{chance.randrange(60):02}:{chance.randrange(60):02}Z worker-{chance.randrange(64)} "
                f'File "/srv/app/{name}.py", line {chance.randrange(900)}, in {name}: {chance.choice(CAUSES)}'
            )
        return "\n".join(lines)[:characters]

    return {"prompt, a question": question, "prompt, 1.5 kB": lambda: log(1500), "prompt, 15 kB": lambda: log(15_000)}


def measure(home: Home, folder: Path) -> dict[str, tuple[list[float], float]]:
    """Return the milliseconds of each kind of process, sorted, and those of the processor; the kinds take turns."""
    chance = random.Random(SEED + 1)
    roots = [project(folder, number) for number in range(PROJECTS)]
    command = shlex.split(hook_command(home.path, "bench"))
    transcript = folder / "transcript.jsonl"
    transcript.write_text("{}\n", encoding="utf-8")

    def event(name: str, **fields: str) -> bytes:
        common = {"event": name, "session": str(chance.random()), "cwd": str(chance.choice(roots))}
        return json.dumps(common | {"transcript": str(transcript)} | fields).encode()

    kinds: dict[str, tuple[list[str], Callable[[], bytes]]] = {
        "python -S -E -c pass": ([*PYTHON, "pass"], lambda: b""),
        "… 'import json, sqlite3, socket'": ([*PYTHON, "import json, sqlite3, socket"], lambda: b""),
        "capture": (command, lambda: event("Stop")),
        "session start": (command, lambda: event("Start", source="startup")),
    }
    for name, make in prompts(chance).items():
        kinds[name] = (command, lambda make=make: event("Prompt", prompt=make()))  # type: ignore[misc]
    times: dict[str, list[float]] = {name: [] for name in kinds}
    processor: dict[str, list[float]] = {name: [] for name in kinds}
    answered: Counter[str] = Counter()
    for _ in range(ROUNDS):
        for name, (program, payload) in kinds.items():
            given = payload()
            begun, used = time.perf_counter(), processor_time()
            result = subprocess.run(program, input=given, capture_output=True, check=True)
            times[name].append((time.perf_counter() - begun) * 1000)
            processor[name].append((processor_time() - used) * 1000)
            answered[name] += bool(result.stdout)
    print(f"answered, of {ROUNDS}: " + ", ".join(f"{name} {number}" for name, number in answered.items() if number))
    return {name: (sorted(each), statistics.median(processor[name])) for name, each in times.items()}


def processor_time() -> float:
    """Return the seconds of processor time of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(count: int = 100_000, kept: str | None = None) -> None:
    """Print the table."""
    os.environ |= {"HARDWON_NO_BACKGROUND": "1", "PYTHONDONTWRITEBYTECODE": ""}
    with tempfile.TemporaryDirectory() as folder:
        home = prepare(Path(kept) if kept else Path(folder) / "home", count)
        times = measure(home, Path(folder))
        bare, bare_with_modules = list(times.values())[:2]
        print(f"{'whole process, ms':34} {'p50':>6} {'p95':>6} {'CPU':>6}  of its bare interpreter's p50 and CPU")
        for name, (each, used) in times.items():
            base, base_used = bare if name in ("capture", "python -S -E -c pass") else bare_with_modules
            p50, p95 = statistics.median(each), each[int(len(each) * 0.95)]
            ratios = " ".join(f"{value / statistics.median(base):5.2f}" for value in (p50, p95))
            print(f"{name:34} {p50:6.1f} {p95:6.1f} {used:6.1f}  {ratios} {used / base_used:5.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100_000, sys.argv[2] if sys.argv[2:] else None)
