"""How fast the store `postgres` is: `python tests/benchmarks/bench_postgres.py [MEMORIES [CLIENTS]]`.

A real server is started for it, as a user would set one up who cares (it answers after what it wrote is on the disk).
Questions are asked by words and by a vector of 384 numbers in one statement; the vectors are drawn around two thousand
centres, since making real ones would take an hour. The limit measured beside is the server's own: its two indexes asked
one after the other, without anything of this house. CLIENTS then ask at once, eight in a process.
"""

from __future__ import annotations

import multiprocessing
import random
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from workload import Vocabulary, memories, natural_notes, natural_questions

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.home import Home
from hardwon.kernel.query import Query
from hardwon.kernel.settings import PostgresSettings, Settings
from hardwon.kernel.use_cases.embedding import searched_texts, task_key, to_bytes, vector_key
from hardwon.stores.postgres.arranging import arrange
from hardwon.stores.postgres.database import PostgresDatabase
from hardwon.stores.postgres.embedded import EmbeddedServer
from hardwon.stores.postgres.schema import TERMS
from hardwon.stores.postgres.storage import PostgresStorage

QUESTIONS = 200
SECONDS = 20.0
"""How long each client asks."""
A_PROCESS = 8
"""Clients that share a process, as the threads of a service do."""
BATCH = 1000
DIMENSIONS = 384
_CENTRES = np.random.default_rng(7).standard_normal((2000, DIMENSIONS)).astype(np.float32)


class DrawnEmbedder:
    """Draws a vector near one of the centres, the same for the same text."""

    name = "drawn"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str], role: str) -> list[list[float]]:
        """Return one unit vector a text."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        chance = np.random.default_rng(zlib.crc32(text.encode()))
        vector = _CENTRES[chance.integers(len(_CENTRES))] + 0.8 * chance.standard_normal(DIMENSIONS)
        drawn: list[float] = (vector / np.linalg.norm(vector)).tolist()
        return drawn


def opened(folder: Path, url: str, schema: str = "bench") -> tuple[PostgresStorage, DrawnEmbedder]:
    """Return the open store of a home."""
    embedder = DrawnEmbedder()
    settings = Settings(store="postgres", postgres=PostgresSettings(url=url, schema_name=schema))
    home = Home(folder, settings=settings)
    home.create()
    home.__dict__["embedder"] = embedder
    return PostgresStorage(home), embedder


def fill(storage: PostgresStorage, embedder: DrawnEmbedder, notes: list[str]) -> None:
    """Keep memories and vectors, and say how long it takes."""
    walk, texts, seconds = memories(iter(notes)), list[str](), 0.0
    while some := list(islice(walk, BATCH)):
        begun = time.perf_counter()
        storage.memories.put(some)
        seconds += time.perf_counter() - begun
        texts += [text for entry in some for text in searched_texts(entry)]
    print(f"put in batches of {BATCH}: {len(notes) / seconds:,.0f} memories a second")
    begun = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        some_texts = texts[start : start + BATCH]
        vectors = embedder.embed(some_texts, "passage")
        storage.vectors.keep(
            embedder.name, {vector_key(t): to_bytes(v) for t, v in zip(some_texts, vectors, strict=True)}
        )
    cohort = [(vector_key(text), text) for text in SENTENCES] + [(task_key(task), task) for task in TASKS]
    drawn = embedder.embed([text for _, text in cohort], "passage")
    storage.vectors.keep(embedder.name, {key: to_bytes(v) for (key, _), v in zip(cohort, drawn, strict=True)})
    print(f"vectors drawn and kept: {len(texts) / (time.perf_counter() - begun):,.0f} a second")


def single_puts(storage: PostgresStorage, notes: list[str]) -> None:
    """Say how many memories a second are put one by one."""
    entries = list(memories(iter(notes)))
    begun = time.perf_counter()
    for entry in entries:
        storage.memories.put([entry])
    print(f"put one by one: {len(entries) / (time.perf_counter() - begun):,.0f} a second")


def timed(ask: Callable[[str], Any], questions: Sequence[str]) -> list[float]:
    """Return the milliseconds of each question, sorted."""
    times = []
    for question in questions:
        begun = time.perf_counter()
        ask(question)
        times.append((time.perf_counter() - begun) * 1000)
    return sorted(times)


def told(name: str, times: list[float]) -> float:
    """Print a line; return the median."""
    p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"{name:44} p50 {p50:7.2f} ms   p95 {p95:7.2f} ms")
    return p50


def bare(database: PostgresDatabase, embedder: DrawnEmbedder) -> Callable[[str], Any]:
    """Return the limit: the index of words for its rarest word, then the index of vectors, ten each."""

    def ask(question: str) -> None:
        word = max(question.lower().split(), key=len)
        database.rows(f"SELECT number FROM memories WHERE {TERMS} @> ARRAY[?] LIMIT 10", [word])
        vector = str(embedder.embed([question], "query")[0])
        database.rows(
            "SELECT memory FROM search_texts WHERE space = 1 AND language = 'en' "
            f"ORDER BY embedding::halfvec({DIMENSIONS}) <#> ?::halfvec({DIMENSIONS}) LIMIT 10",
            [vector],
        )

    return ask


def ask_for(seconds: float, storage: PostgresStorage, questions: list[str], seed: int) -> list[float]:
    """Ask for so many seconds; return the milliseconds of each question."""
    times, chance, end = list[float](), random.Random(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        times += timed(lambda text: storage.memories.search(Query(text=text)), [chance.choice(questions)])
    return times


def clients_of_a_process(number: int, url: str, folder: Path, questions: list[str], ready: Any, results: Any) -> None:
    """Let some clients ask at once; put the times of each, or what went wrong, into the queue."""
    storage, _ = opened(folder / f"machine-{number}", url)
    storage.memories.search(Query(text=questions[0]))
    ready.wait()
    with ThreadPoolExecutor(A_PROCESS) as pool:
        asked = [pool.submit(ask_for, SECONDS, storage, questions, 100 * number + each) for each in range(A_PROCESS)]
        for each in asked:
            error = each.exception()
            results.put(f"{type(error).__name__}: {error}" if error else each.result())
    storage.close()


def crowd(count: int, url: str, folder: Path, questions: list[str]) -> None:
    """Let clients ask at once, eight in a process, each by a connection of its own."""
    context = multiprocessing.get_context("spawn")
    machines = max(1, count // A_PROCESS)
    ready, results = context.Barrier(machines + 1), context.Queue()
    processes = [
        context.Process(target=clients_of_a_process, args=(each, url, folder, questions, ready, results))
        for each in range(machines)
    ]
    for process in processes:
        process.start()
    ready.wait()
    answers = [results.get() for _ in range(machines * A_PROCESS)]
    for process in processes:
        process.join()
    errors = [each for each in answers if isinstance(each, str)]
    times = sorted(each for answer in answers if not isinstance(answer, str) for each in answer)
    p50 = told(f"{len(answers)} clients at once, {len(times)} questions, {len(errors)} errors", times)
    print(
        f"   p95 is {times[int(len(times) * 0.95)] / p50:.1f} times p50; {len(times) / SECONDS:,.0f} questions a second"
    )
    print("\n".join(errors[:3]))


def sizes(database: PostgresDatabase, count: int) -> Iterator[str]:
    """Walk lines on how large each table is with its indexes, a memory."""
    sql = (
        "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relnamespace = ?::regnamespace "
        "AND relkind = 'r' ORDER BY 2 DESC LIMIT 5"
    )
    for name, size in database.rows(sql, [database.schema]):
        yield f"   {name}: {size / count:,.0f} bytes a memory"


def main(count: int = 100_000, clients: int = 32) -> None:
    """Print the figures."""
    vocabulary = Vocabulary()
    notes = list(natural_notes(count, vocabulary))
    questions = natural_questions(QUESTIONS, vocabulary, notes)
    options = ("shared_buffers=1GB", "max_wal_size=4GB", "work_mem=16MB")
    with EmbeddedServer(durable=True, options=options) as server, tempfile.TemporaryDirectory() as folder:
        storage, embedder = opened(Path(folder) / "home", server.url)
        database = storage.database
        print(f"{count:,} memories; python {' '.join(sys.argv)}")
        fill(storage, embedder, notes)
        begun = time.perf_counter()
        made = arrange(database, 1, "auto")
        print(f"indexes of vectors made: {made or 'none'} in {time.perf_counter() - begun:.1f} s")
        database.run_alone(["VACUUM ANALYZE"])
        single_puts(storage, list(natural_notes(200, vocabulary)))
        for round in ("first", "again"):
            told(f"hybrid search, {round}", timed(lambda text: storage.memories.search(Query(text=text)), questions))
        told("words alone", timed(lambda text: storage.memories.search(Query(text=text, by_words=True)), questions))
        told("the two indexes, bare", timed(bare(database, embedder), questions))
        told("embedding the question (drawn)", timed(lambda text: embedder.embed([text], "query"), questions))
        print("\n".join(sizes(database, count)))
        crowd(clients, server.url, Path(folder), questions)
        storage.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
