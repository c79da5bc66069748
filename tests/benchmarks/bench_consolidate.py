"""How long `consolidate` takes over lessons that are embedded already, and how much memory.

`python tests/benchmarks/bench_consolidate.py [--keep FOLDER] [RUN…]`, a RUN being `5000` (a full run over so many
lessons) or `20000+500` (then a run after so many new ones, and one after nothing). Each run is a fresh process from its
start to its end, on the files store and with the Markdown queue; `--keep` keeps the prepared homes for another time.

The lessons are variations of the labelled set in tests/data and of the catalogue's examples, in other words around the
same causes and in other projects. A vector is that of the original, turned by a random length, and for one lesson in
five half way to another cause: no two causes are apart. They are put where the background process would put them. The
baseline clusters the same vectors with scikit-learn: average linkage of cosines, for at most 5,000 lessons.

Targets: 5,000 lessons in 10 s and 500 MB; the run after 500 new ones in 60 s and 800 MB; 50,000 in 15 times what 5,000
take.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.embedding import to_bytes, vector_key

RUNS = ("5000", "20000+500", "50000")
LESSONS_A_PROJECT = 25
LARGEST_BASELINE = 5_000
SEED = 7
TURNS = (0.3, 1.1)
"""Least and greatest length of the random part beside a unit vector: two variations lie at a cosine of .45 to .92."""
MIXED = 0.2
"""Share of the lessons that lie between two causes."""
DATA = Path(__file__).parents[1] / "data" / "lessons" / "generalize.jsonl"
START = datetime(2024, 1, 1, tzinfo=UTC)
OPENINGS = ("Noted after the incident: ", "For the record. ", "Second time this year: ", "From the retrospective: ", "")
CLOSINGS = (" It took {hours} hours to find.", " Seen on {count} machines.", " Ticket {count} has the details.", "")


class Source:
    """Makes lessons and their vectors, the same ones every time."""

    def __init__(self, home: Home) -> None:
        from hardwon.generalizer.catalogue import shipped_catalogue
        from hardwon.generalizer.catalogue_vectors import catalogue_vectors

        catalogue = catalogue_vectors(home, shipped_catalogue())
        if catalogue is None or home.embedder is None:
            sys.exit("There is no embedder here; this benchmark is about embedded lessons.")
        self.space = home.embedder.name
        rows = dict(zip(catalogue.texts, catalogue.rows, strict=True))
        told = [json.loads(line)["content"] for line in DATA.read_text(encoding="utf-8").splitlines()]
        examples = [text for concept in shipped_catalogue() for text in concept.examples]
        own = np.asarray(home.embedder.embed(told, "passage"), dtype=np.float32)
        self._texts = [*told, *examples]
        self._vectors = np.concatenate([own, np.stack([rows[text] for text in examples])])
        self._chance = random.Random(SEED)
        self._noise = np.random.default_rng(SEED)
        self._made: set[str] = set()

    def make(self, count: int, of: int) -> tuple[list[MemoryEntry], np.ndarray[Any, Any]]:
        """Return so many lessons of a home that will have `of`, and a vector each."""
        picked = [self._chance.randrange(len(self._texts)) for _ in range(count)]
        entries = [self._entry(self._texts[row], of) for row in picked]
        vectors = self._vectors[picked]
        between = self._noise.random(count) < MIXED
        vectors[between] += self._vectors[self._noise.integers(len(self._texts), size=int(between.sum()))]
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        turns = self._noise.uniform(*TURNS, size=(count, 1))
        vectors += turns * self._noise.normal(size=vectors.shape, scale=vectors.shape[1] ** -0.5)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return entries, vectors.astype(np.float32)

    def _entry(self, text: str, of: int) -> MemoryEntry:
        closing = self._chance.choice(CLOSINGS).format(
            hours=self._chance.randint(2, 90), count=self._chance.randint(100, 99_999)
        )
        content = self._chance.choice(OPENINGS) + text + closing
        if content in self._made:
            content = f"{content} ({len(self._made)})"
        self._made.add(content)
        moment = START + timedelta(minutes=len(self._made))
        project = f"project-{self._chance.randrange(max(2, of // LESSONS_A_PROJECT))}"
        return MemoryEntry(
            id=new_id(moment), content=content, scope=Scope(project=project), times=Times(asserted_at=moment)
        )


def put(home: Home, source: Source, count: int, of: int) -> np.ndarray[Any, Any]:
    """Put lessons and their vectors into the home; return the vectors."""
    entries, vectors = source.make(count, of)
    packed = (to_bytes(vector.tolist()) for vector in vectors)
    keys = (vector_key(entry.content) for entry in entries)
    home.storage.vectors.keep(source.space, dict(zip(keys, packed, strict=True)))
    for start in range(0, len(entries), 5_000):
        home.storage.memories.put(entries[start : start + 5_000])
    return vectors


def prepared(folder: Path, count: int) -> tuple[Home, Source]:
    """Return an open home with so many lessons, that was made now or before, and the source of more."""
    home = Home(folder / "home")
    if home.exists:
        source = Source(home)
        source.make(count, count)
        return home, source
    home.create()
    source = Source(home)
    np.save(folder / "vectors.npy", put(home, source, count, count))
    return home, source


def consolidated(folder: Path) -> str:
    """Consolidate, and return in words what came of it."""
    from hardwon.kernel.use_cases.consolidate import consolidate

    with Home(folder / "home") as home:
        result = consolidate(home)
    covered = sum(len(each.instances) for each in result.proposals)
    changed = f"{len(result.added)} new, {len(result.refreshed)} refreshed, {len(result.withdrawn)} withdrawn"
    return f"{result.lessons:,} lessons; {len(result.proposals)} proposals over {covered:,} lessons; {changed}"


def baseline(folder: Path) -> str:
    """Cluster the same vectors as one would without hardwon."""
    from sklearn.cluster import AgglomerativeClustering

    vectors = np.load(folder / "vectors.npy")
    clustering = AgglomerativeClustering(n_clusters=None, metric="cosine", linkage="average", distance_threshold=0.3)
    labels = clustering.fit(vectors).labels_
    return f"{sum(np.bincount(labels) > 2)} clusters"


WORK: dict[str, Callable[[Path], str]] = {"consolidate": consolidated, "baseline": baseline}
PHASES = {
    "read": ("hardwon.kernel.use_cases.consolidate", "read_material"),
    "gather": ("hardwon.generalizer.offline", "gather"),
    "cluster": ("hardwon.generalizer.offline", "clusters"),
    "signs": ("hardwon.generalizer.offline", "signs_of"),
    "continue": ("hardwon.generalizer.offline", "continue_proposals"),
    "queue": ("hardwon.kernel.use_cases.consolidate", "apply_to_queue"),
}
"""Functions whose CPU time is shown, by a word for each, as the module knows them that calls them."""


def timed(taken: dict[str, float]) -> None:
    """Note how long each phase takes."""
    import importlib

    for phase, (module_name, name) in PHASES.items():
        module = importlib.import_module(module_name)
        setattr(module, name, _timed(getattr(module, name), phase, taken))


def _timed(work: Callable[..., Any], phase: str, taken: dict[str, float]) -> Callable[..., Any]:
    def run(*arguments: Any, **options: Any) -> Any:
        before = time.process_time()
        result = work(*arguments, **options)
        taken[phase] = taken.get(phase, 0.0) + time.process_time() - before
        return result

    return run


def measure(folder: Path, name: str) -> None:
    """Print the figures of one run in this process, as JSON."""
    taken: dict[str, float] = {}
    if name == "consolidate":
        timed(taken)
    told = WORK[name](folder)
    print(json.dumps({"told": told, "phases": taken}))


def child(folder: Path, name: str) -> dict[str, Any]:
    """Do one run in a process of its own; return its figures, those of its whole life."""
    begun = time.perf_counter()
    command = [sys.executable, __file__, "--measure", str(folder), name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{name} ended with {status}.")
    peak = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return {**json.loads(told), "wall": time.perf_counter() - begun, "cpu": used.ru_utime + used.ru_stime, "peak": peak}


def told(label: str, found: dict[str, Any]) -> None:
    """Print a line of the table."""
    phases = ", ".join(f"{name} {seconds:.1f}" for name, seconds in found["phases"].items())
    figures = f"{found['wall']:.1f} s | {found['cpu']:.1f} s | {found['peak']:.0f} MB"
    print(f"| {label} | {figures} | {found['told']} | {phases} |", flush=True)


def run(folder: Path, wanted: str) -> dict[str, Any]:
    """Do what one RUN says; return the figures of its last or only full run."""
    count, _, more = wanted.partition("+")
    home, source = prepared(folder, int(count))
    home.close()
    if int(count) <= LARGEST_BASELINE:
        told(f"scikit-learn, {int(count):,}", child(folder, "baseline"))
    found = child(folder, "consolidate")
    told(f"first run, {int(count):,}", found)
    if more:
        with home:
            put(home, source, int(more), int(count))
        told(f"after {more} new", child(folder, "consolidate"))
        told("after nothing", child(folder, "consolidate"))
    return found


def main() -> None:
    """Print the figures as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", default=RUNS)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    print("| run | wall | CPU | peak memory | result | CPU seconds by phase |")
    print("| --- | ---: | ---: | ---: | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        root = given.keep or Path(scratch)
        found = {}
        for wanted in given.runs:
            folder = root / wanted.replace("+", "-")
            folder.mkdir(parents=True, exist_ok=True)
            found[wanted] = run(folder, wanted)
    if {"5000", "50000"} <= found.keys():
        for name in ("cpu", "wall"):
            print(f"\n50,000 take {found['50000'][name] / found['5000'][name]:.1f} times the {name} time of 5,000.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(Path(sys.argv[2]), sys.argv[3])
    else:
        main()
