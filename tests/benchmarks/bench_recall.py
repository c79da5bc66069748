"""How long a keyword recall takes in process at 10,000 memories: `python tests/benchmarks/bench_recall.py [MEMORIES]`.

The whole use case is measured, from the question to the entries shown and the line in the ledger, on the files store.
The baseline of the same run is a bare FTS5 table of the same contents: one MATCH of the question's words, ORDER BY
rank. The target is a p50 of 2 ms on a quiet machine. On a busy one, look at the CPU time and at the ratio.
"""

from __future__ import annotations

import itertools
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.query import Query
from hardwon.kernel.scope import Context, Scope
from hardwon.kernel.use_cases.recall import recall

PROJECTS = 40
QUESTIONS = 200
SEED = 7

VOCABULARY = 20_000
STOP_WORDS = (
    "the",
    "of",
    "a",
    "to",
    "and",
    "in",
    "is",
    "that",
    "it",
    "for",
    "was",
    "on",
    "are",
    "with",
    "as",
    "at",
    "be",
    "by",
)


def vocabulary(chance: random.Random) -> tuple[list[str], list[float]]:
    """Return invented words and how common each is: by Zipf's law, as in real texts, the n-th in proportion to 1/n."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = {"".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(VOCABULARY)}
    ordered = sorted(words, key=lambda word: (len(word), word))
    chance.shuffle(ordered)
    return ordered, list(itertools.accumulate(1 / rank for rank in range(5, len(ordered) + 5)))


def sentence(chance: random.Random, words: int, known: tuple[list[str], list[float]]) -> str:
    """Return a sentence of which four words in ten are stop words."""
    stop = words * 4 // 10
    picked = chance.choices(known[0], cum_weights=known[1], k=words - stop) + chance.choices(STOP_WORDS, k=stop)
    chance.shuffle(picked)
    return " ".join(picked).capitalize() + "."


def memories(count: int, chance: random.Random, known: tuple[list[str], list[float]]) -> list[MemoryEntry]:
    """Return memories of several projects, learned one an hour."""
    start = datetime(2024, 1, 1, tzinfo=UTC)
    moments = [start + timedelta(hours=number) for number in range(count)]
    return [
        MemoryEntry(
            id=new_id(moment),
            content=" ".join(sentence(chance, 14, known) for _ in range(3)),
            scope=Scope(project=f"project-{chance.randrange(PROJECTS)}"),
            times=Times(asserted_at=moment),
        )
        for moment in moments
    ]


def milliseconds(run: Callable[[str], object], questions: list[str]) -> tuple[list[float], float]:
    """Return the wall time of each question, sorted, and the mean CPU time, in milliseconds."""
    times = []
    begun = time.process_time()
    for question in questions:
        before = time.perf_counter()
        run(question)
        times.append((time.perf_counter() - before) * 1000)
    return sorted(times), (time.process_time() - begun) * 1000 / len(questions)


def report(name: str, times: list[float], cpu: float) -> float:
    """Print a line and return the median."""
    p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"{name:28} p50 {p50:6.2f} ms   p95 {p95:6.2f} ms   CPU {cpu:6.2f} ms")
    return p50


def baseline(entries: list[MemoryEntry]) -> Callable[[str], object]:
    """Return a search in a plain FTS5 table."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE plain USING fts5(content, tokenize='porter unicode61')")
    connection.executemany("INSERT INTO plain VALUES (?)", [(entry.content,) for entry in entries])

    def run(question: str) -> object:
        words = [word for word in question.strip(".").lower().split() if word not in STOP_WORDS]
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 8"
        return connection.execute(sql, (match,)).fetchall()

    return run


def main(count: int = 10_000) -> None:
    """Print the figures."""
    chance = random.Random(SEED)
    known = vocabulary(chance)
    entries = memories(count, chance, known)
    questions = [sentence(chance, 12, known) for _ in range(QUESTIONS)]
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.create()
        (home.path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        home.storage.memories.put(entries)
        inside = Context(project="project-1")
        recall(home, Query(text=questions[0]))
        print(f"{count} memories, {QUESTIONS} questions of 12 words; {' '.join(['python', *sys.argv])}")
        bare = report("bare FTS5, porter, rank", *milliseconds(baseline(entries), questions))
        outside = report("recall, everything", *milliseconds(lambda text: recall(home, Query(text=text)), questions))
        project = milliseconds(lambda text: recall(home, Query(text=text, context=inside)), questions)
        report("recall, inside a project", *project)
        print(f"recall takes {outside / bare:.2f} times the bare search")
        home.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
