"""How long `consolidate` takes over lessons that are embedded already, and how much memory.

`python tests/benchmarks/bench_consolidate.py [LESSONS]`. The lessons are variations of the labelled set in tests/data:
other projects, other words around the same causes. Their vectors are the embeddings of the originals, turned a little
at random, and are put where the background process would have put them. Then a fresh process consolidates, on the
files store and with the Markdown queue. The baseline is another fresh process that clusters the same vectors with
scikit-learn: average linkage of cosines. The target, at 5,000 lessons, is 10 s and 500 MB.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.embedding import to_bytes, vector_key

LESSONS = 5_000
PROJECTS = 200
SEED = 7
TURN = 0.55
"""Length of the random part beside a unit vector: two variations of one lesson then lie at a cosine of about 0.77."""
SECONDS, MEGABYTES = 10, 500
DATA = Path(__file__).parents[1] / "data" / "lessons" / "generalize.jsonl"
OPENINGS = ("Noted after the incident: ", "For the record. ", "Second time this year: ", "From the retrospective: ", "")
CLOSINGS = (" It took {hours} hours to find.", " Seen on {count} machines.", " Ticket {count} has the details.", "")


def originals() -> list[dict[str, Any]]:
    """Return the labelled lessons."""
    return [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def variation(text: str, chance: random.Random) -> str:
    """Return the lesson in other words around it."""
    closing = chance.choice(CLOSINGS).format(hours=chance.randint(2, 90), count=chance.randint(100, 99_999))
    return chance.choice(OPENINGS) + text + closing


def prepare(folder: Path, count: int) -> None:
    """Fill a home with lessons and their vectors, and leave the vectors beside it for the baseline."""
    chance, random_vectors = random.Random(SEED), np.random.default_rng(SEED)
    rows = originals()
    home = Home(folder / "home")
    home.create()
    embedder = home.embedder
    if embedder is None:
        sys.exit("There is no embedder here; this benchmark is about embedded lessons.")
    known = np.asarray(embedder.embed([row["content"] for row in rows], "passage"), dtype=np.float32)
    start = datetime(2024, 1, 1, tzinfo=UTC)
    entries: dict[str, MemoryEntry] = {}
    picked = []
    while len(entries) < count:
        row = len(picked) % len(rows)
        text = variation(rows[row]["content"], chance)
        if text in entries:
            text = f"{text} ({len(picked)})"
        moment = start + timedelta(hours=len(picked))
        project = f"project-{chance.randrange(PROJECTS)}"
        scope, times = Scope(project=project), Times(asserted_at=moment)
        entries[text] = MemoryEntry(id=new_id(moment), content=text, scope=scope, times=times)
        picked.append(row)
    noise = random_vectors.normal(size=(count, known.shape[1]), scale=TURN / known.shape[1] ** 0.5)
    vectors = known[picked] + noise.astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    home.storage.memories.put(list(entries.values()))
    packed = (to_bytes(vector.tolist()) for vector in vectors)
    home.storage.vectors.keep(embedder.name, dict(zip(map(vector_key, entries), packed, strict=True)))
    home.close()
    np.save(folder / "vectors.npy", vectors)


def consolidated(folder: Path) -> str:
    """Consolidate, and return in words what came of it."""
    from hardwon.kernel.use_cases.consolidate import consolidate

    with Home(folder / "home") as home:
        result = consolidate(home)
    covered = sum(len(each.instances) for each in result.proposals)
    return f"{len(result.proposals)} proposals over {covered} lessons"


def baseline(folder: Path) -> str:
    """Cluster the same vectors as one would without hardwon."""
    from sklearn.cluster import AgglomerativeClustering

    vectors = np.load(folder / "vectors.npy")
    clustering = AgglomerativeClustering(n_clusters=None, metric="cosine", linkage="average", distance_threshold=0.3)
    labels = clustering.fit(vectors).labels_
    return f"{sum(np.bincount(labels) > 2)} clusters"


RUNS = {"hardwon consolidate": consolidated, "AgglomerativeClustering, average, cosine": baseline}


def peak_megabytes() -> float:
    """Return the most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def measure(folder: Path, name: str) -> None:
    """Print the figures of one run in this process, as JSON."""
    before, before_cpu = time.perf_counter(), time.process_time()
    told = RUNS[name](folder)
    wall, cpu = time.perf_counter() - before, time.process_time() - before_cpu
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak_megabytes(), "told": told}))


def main(count: int) -> None:
    """Print the figures as a Markdown table; exit with 1 when the target is missed."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), count)
        print(f"`python tests/benchmarks/bench_consolidate.py {count}`\n")
        print("| run | wall | CPU | peak memory | result |\n| --- | ---: | ---: | ---: | --- |")
        found = {}
        for name in RUNS:
            command = [sys.executable, __file__, "--measure", folder, name]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found[name] = each = json.loads(done.stdout)
            line = f"{each['wall']:.1f} s | {each['cpu']:.1f} s | {each['peak']:.0f} MB | {each['told']}"
            print(f"| {name}, {count:,} lessons | {line} |")
    ours, other = found.values()
    print(f"\n{ours['wall'] / other['wall']:.1f} times the baseline's wall time, ", end="")
    print(f"{ours['peak'] / other['peak']:.1f} times its memory; target {SECONDS} s, {MEGABYTES} MB at {LESSONS:,}")
    sys.exit(ours["wall"] > SECONDS or ours["peak"] > MEGABYTES)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(Path(sys.argv[2]), sys.argv[3])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else LESSONS)
