"""Search in process on the SQLite store: `python tests/benchmarks/bench_search.py [SIZE…] [--vectors] [--truth N]`.

By default 10000, 100000 and 1000000 memories of each kind of `workload`, by words; with `--vectors` by meaning too, by
vectors drawn near some thousand centres, since making real ones takes an hour. In the same run: the same question put
to a plain FTS5 table of the same notes (porter, every telling word OR'd, ORDER BY rank LIMIT 10), and what the machine
needs to read one bit of every memory for every word, which is the least that can be read of a common word.

`--truth N` (default 20; 0 at more than 100000) holds the ten best by words against those of a search that scores every
memory there is: what looking up rare words first costs.

A process that asks again holds what it read of the words as long as no memory changes. So it is told as well what
questions take before each of which another program wrote a record, as of what was shown, or a memory.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from workload import (
    START,
    STEP,
    DrawnEmbedder,
    Vocabulary,
    keep_vectors,
    memories,
    natural_notes,
    natural_questions,
    plain_notes,
    plain_questions,
)

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.settings import Settings
from hardwon.kernel.text import query_terms
from hardwon.stores.search.held_sets import HeldSets
from hardwon.stores.search.lexical import match
from hardwon.stores.search.weights import question_weights
from hardwon.stores.sqlite.file_name import FILE_NAME
from hardwon.stores.sqlite.storage import open_sqlite

SIZES = (10_000, 100_000, 1_000_000)
QUESTIONS = 200
BATCH = 5_000
MOST = 10
TOLD_OF = 5_000
"""Notes of which questions are made."""
_LARGEST_TRUTH = 100_000


def milliseconds(
    ask: Callable[[str], Any], questions: Sequence[str], meanwhile: Callable[[], Any] = lambda: None
) -> tuple[list[float], float]:
    """Return the wall time of each question, sorted, and the mean processor time; `meanwhile` is done before each."""
    for question in questions[:5]:
        ask(question)
    times, used = [], 0.0
    for question in questions:
        meanwhile()
        before, busy = time.perf_counter(), time.process_time()
        ask(question)
        times.append((time.perf_counter() - before) * 1000)
        used += time.process_time() - busy
    return sorted(times), used * 1000 / len(questions)


def told(name: str, measured: tuple[list[float], float]) -> float:
    """Print a line; return the median."""
    times, used = measured
    p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"  {name:40} p50 {p50:8.2f} ms   p95 {p95:8.2f} ms   processor {used:8.2f} ms", flush=True)
    return p50


def notes_of(kind: str, count: int, vocabulary: Vocabulary) -> Iterator[str]:
    """Walk the notes of a kind."""
    return plain_notes(count) if kind == "plain" else natural_notes(count, vocabulary)


def questions_of(kind: str, vocabulary: Vocabulary) -> list[str]:
    """Return questions for the notes of a kind."""
    if kind == "plain":
        return plain_questions(QUESTIONS)
    return natural_questions(QUESTIONS, vocabulary, list(natural_notes(TOLD_OF, vocabulary)))


def fill(home: Home, notes: Iterable[str], embedder: DrawnEmbedder | None) -> None:
    """Put all notes, in batches, and say how long it took."""
    walk, count, seconds, used = memories(iter(notes)), 0, 0.0, 0.0
    while some := list(islice(walk, BATCH)):
        begun, busy = time.perf_counter(), time.process_time()
        home.storage.memories.put(some)
        seconds, used = seconds + time.perf_counter() - begun, used + time.process_time() - busy
        count += len(some)
        if embedder is not None:
            keep_vectors(home.storage.vectors, embedder, some)
    print(
        f"  put in batches of {BATCH:,}: {count / seconds:,.0f}/s ({count / used:,.0f}/s of processor time)", flush=True
    )


def plain_table(notes: Iterable[str]) -> Callable[[str], Any]:
    """Return a search in a plain FTS5 table of the notes."""
    connection = sqlite3.connect("")
    connection.execute("CREATE VIRTUAL TABLE plain USING fts5(content, tokenize='porter unicode61')")
    connection.executemany("INSERT INTO plain VALUES (?)", ((note,) for note in notes))

    def ask(question: str) -> list[Any]:
        words = " OR ".join(f'"{term}"' for term in query_terms(question))
        sql = "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?"
        return connection.execute(sql, (words, MOST)).fetchall()

    return ask


def least(count: int) -> Callable[[str], Any]:
    """Return what reads one bit of every memory for every word of a question, at the speed of the machine's memory."""
    bits = np.random.default_rng(1).integers(0, 256, (64, count // 8 + 1), dtype=np.uint8)
    return lambda question: [int(np.bitwise_or.reduce(row)) for row in bits[: min(64, len(query_terms(question)))]]


def agreement(home: Home, questions: Sequence[str]) -> tuple[float, float]:
    """Return which share of the ten best of all memories, each scored, are found, and what share of their scores."""
    connection = sqlite3.connect(home.path / FILE_NAME)
    rows = [
        (id, terms, length)
        for id, terms, length in connection.execute("SELECT id, terms, length FROM search_documents")
    ]
    held = HeldSets(connection)
    found = total = 0
    scored = needed = 0.0
    for question in questions:
        matches = match(held, question_weights(question, ()))
        scores = {id: matches.score(terms, length).weight for id, terms, length in rows}
        candidates = home.storage.memories.search(Query(text=question)).candidates
        best = sorted((scores[candidate.id] for candidate in candidates), reverse=True)[:MOST]
        wanted = sorted(scores.values(), reverse=True)[: len(best)]
        # By their scores: of many that say the same, any will do.
        found += sum(has >= least - 1e-9 for has, least in zip(best, wanted, strict=True))
        total += len(wanted)
        scored, needed = scored + sum(best), needed + sum(wanted)
    connection.close()
    return found / max(1, total), scored / max(1e-9, needed)


def after_writes(home: Home, questions: Sequence[str], embedder: DrawnEmbedder | None) -> None:
    """Print what questions take each of which another program wrote something before: a record, or a memory."""
    with Home(home.path, settings=home.settings) as writer:
        more = memories(plain_notes(10**6))

        def record() -> None:
            writer.storage.ledger.append([Activity(kind="shown", at=START)])

        def remember() -> None:
            some = [next(more).model_copy(update={"id": new_id(START)})]
            writer.storage.memories.put(some)
            if embedder is not None:
                keep_vectors(writer.storage.vectors, embedder, some)

        for what, meanwhile in (("a record", record), ("a memory", remember)):
            for how, by_words in (("words", True), ("both", False))[: 1 + (embedder is not None)]:
                ask = partial(_asked, home, by_words)
                told(f"by {how}, after {what} each", milliseconds(ask, questions, meanwhile))


def _asked(home: Home, by_words: bool, text: str) -> Any:
    return home.storage.memories.search(Query(text=text, by_words=by_words))


def measure(kind: str, count: int, folder: Path, *, vectors: bool, truth: int) -> None:
    """Print the figures of one kind and size."""
    print(f"{count:,} {kind} memories", flush=True)
    vocabulary, embedder = Vocabulary(), DrawnEmbedder() if vectors else None
    home = Home(folder / f"{kind}-{count}", settings=Settings(store="sqlite", embedder="none"))
    home.create()
    if embedder is not None:
        home.__dict__["embedder"] = embedder
    home.__dict__["storage"] = open_sqlite(home)
    fill(home, notes_of(kind, count, vocabulary), embedder)
    questions = questions_of(kind, vocabulary)
    search, half = home.storage.memories.search, START + count // 2 * STEP
    words = told("by words", milliseconds(lambda text: search(Query(text=text, by_words=True)), questions))
    then = Filter(as_of=half, known_at=half)
    past = milliseconds(lambda text: search(Query(text=text, by_words=True, filter=then)), questions)
    print(f"    a time slice takes {told('as of half way, as known then', past) / words:.2f} times as long")
    own = Filter(projects=("example.org/team/project-7", None))
    told("in a project", milliseconds(lambda text: search(Query(text=text, by_words=True, filter=own)), questions))
    if embedder is not None:
        home.storage.arrange_vectors()  # type: ignore[attr-defined]
        told("by words and by meaning", milliseconds(lambda text: search(Query(text=text)), questions))
    after_writes(home, questions, embedder)
    told("one bit of each memory, read", milliseconds(least(count), questions))
    if truth and count <= _LARGEST_TRUTH:
        asked = random.Random(1).sample(questions, truth)
        share, scores = agreement(home, asked)
        print(f"  of the ten best of all memories {share:.3f} are found, with {scores:.3f} of their scores")
    home.close()
    bare = milliseconds(plain_table(notes_of(kind, count, vocabulary)), questions[:40])
    told("a plain FTS5 table", bare)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--kinds", default="plain,natural")
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--truth", type=int, default=20)
    given = parser.parse_args()
    print(f"{QUESTIONS} questions; python {' '.join(sys.argv)}")
    for count in given.sizes:
        for kind in given.kinds.split(","):
            with tempfile.TemporaryDirectory() as folder:
                measure(kind, count, Path(folder), vectors=given.vectors, truth=given.truth)


if __name__ == "__main__":
    main()
