"""What the stores cost: `python tests/benchmarks/bench_stores.py [MEMORIES] [--stores sqlite,files]`.

Of each store: single puts, and puts in batches, on top of so many memories (default 10000); bytes on disk a memory of
some 200 characters, without vectors and with one of 384 numbers each; and what a search, a scan and a read of a topic
take as of half way and as known then, beside the same without. Memories are an agent's: what a user says waits for the
disk, which `single puts, a user's` shows. Beside it in the same run: a bare SQLite table with an FTS5 index of the same
notes, written the same way, and a bare commit to the disk.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from workload import START, STEP, DrawnEmbedder, keep_vectors, memories, plain_notes, plain_questions

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Source
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.settings import Settings

SINGLE = 500
BATCH = 1_000
QUESTIONS = 100


def rate(count: int, work: Callable[[], Any]) -> str:
    """Return how many a second, by the clock and of processor time."""
    begun, used = time.perf_counter(), time.process_time()
    work()
    seconds, busy = time.perf_counter() - begun, time.process_time() - used
    return f"{count / seconds:9,.0f}/s ({count / busy:9,.0f}/s of processor time)"


def middle(run: Callable[[Any], Any], values: Sequence[Any]) -> float:
    """Return the middle processor time of a call, in milliseconds: what a busy machine disturbs least."""
    times = []
    for value in [*values[:5], *values]:
        begun = time.process_time()
        run(value)
        times.append((time.process_time() - begun) * 1000)
    return statistics.median(times[5:])


def bytes_of(folder: Path) -> int:
    """Return the bytes that the files below a folder occupy."""
    paths = (Path(root) / name for root, _, names in os.walk(folder) for name in names)
    return sum(path.lstat().st_blocks * 512 for path in paths)


def put_singly(home: Home, entries: Sequence[MemoryEntry]) -> None:
    """Put memories one by one."""
    for entry in entries:
        home.storage.memories.put([entry])


def put_in_batches(home: Home, entries: Sequence[MemoryEntry]) -> None:
    """Put memories, so many at a time."""
    for start in range(0, len(entries), BATCH):
        home.storage.memories.put(entries[start : start + BATCH])


def time_slices(home: Home, count: int) -> Iterator[str]:
    """Walk lines on what looking back costs."""
    store, half = home.storage.memories, START + count // 2 * STEP
    then = Filter(as_of=half, known_at=half)
    few = {"external_ids": ("no such id",)}
    for name, run, values in (
        ("search", lambda pair: store.search(Query(text=pair[0], by_words=True, filter=pair[1])), plain_questions(100)),
        ("scan of all", lambda pair: list(store.scan(pair[1])), [""] * 3),
        ("scan for none", lambda pair: list(store.scan(pair[1].model_copy(update=few))), [""] * 20),
    ):
        now = middle(run, [(value, Filter()) for value in values])
        past = middle(run, [(value, then) for value in values])
        yield f"{name}: {now:.2f} ms, as of half way {past:.2f} ms, {past / now:.2f} times"


def measure(name: str, count: int, folder: Path) -> None:
    """Print the figures of one store."""
    print(name, flush=True)
    home = Home(folder / name, settings=Settings(store=name, embedder="none"))
    home.create()
    _ = home.storage  # which makes it, once: half a second
    walk = memories(plain_notes(count + 3 * SINGLE))
    whole = list(itertools.islice(walk, count))
    print(f"  in batches of {BATCH:,}:      {rate(count, lambda: put_in_batches(home, whole))}", flush=True)
    ours = list(itertools.islice(walk, SINGLE))
    print(f"  single puts:            {rate(SINGLE, lambda: put_singly(home, ours))}", flush=True)
    said = [each.model_copy(update={"source": Source(said_by="user")}) for each in itertools.islice(walk, SINGLE)]
    print(f"  single puts, a user's:  {rate(SINGLE, lambda: put_singly(home, said))}", flush=True)
    for line in time_slices(home, count):
        print(f"  {line}", flush=True)
    kept = count + 2 * SINGLE
    home.close()
    print(f"  {bytes_of(folder / name) / kept:,.0f} bytes a memory", flush=True)
    again = Home(folder / name, settings=Settings(store=name, embedder="none"))
    keep_vectors(again.storage.vectors, DrawnEmbedder(), [*whole, *ours, *said])
    again.close()
    print(f"  {bytes_of(folder / name) / kept:,.0f} bytes a memory with its vector", flush=True)


def bare(count: int, folder: Path) -> None:
    """Print what SQLite takes by itself for the same notes."""
    connection = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE notes(content)")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(content, tokenize='porter unicode61')")
    notes = list(plain_notes(count + SINGLE))

    def put(some: Sequence[str]) -> None:
        connection.execute("BEGIN")
        for note in some:
            connection.execute("INSERT INTO notes VALUES (?)", (note,))
            connection.execute("INSERT INTO words VALUES (?)", (note,))
        connection.execute("COMMIT")

    def put_one_by_one() -> None:
        for note in notes[count:]:
            put([note])

    def put_all() -> None:
        for start in range(0, count, BATCH):
            put(notes[start : start + BATCH])

    print("a bare table and FTS5")
    print(f"  in batches of {BATCH:,}:      {rate(count, put_all)}")
    print(f"  single puts:            {rate(SINGLE, put_one_by_one)}")
    connection.execute("PRAGMA synchronous = FULL")
    print(f"  single puts, to disk:   {rate(SINGLE, put_one_by_one)}", flush=True)
    connection.close()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("memories", nargs="?", type=int, default=10_000)
    parser.add_argument("--stores", default="sqlite,files")
    given = parser.parse_args()
    print(f"{given.memories:,} memories; python {' '.join(sys.argv)}")
    with tempfile.TemporaryDirectory() as folder:
        bare(given.memories, Path(folder))
        for name in given.stores.split(","):
            measure(name, given.memories, Path(folder))


if __name__ == "__main__":
    main()
