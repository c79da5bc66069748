"""Beside engrama, the fastest peer known: `python tests/benchmarks/bench_peer.py [SIZE…] [--packages FOLDER]`.

The same notes, put one by one, and the same questions for ten answers, in the same run, at 1,000, 10,000 and 100,000
memories. engrama (PyPI) is installed into a temporary folder unless FOLDER has it; it needs a Python whose SQLite can
load extensions, which is looked for. Each runs in a process of its own, without an embedder, with its defaults.

What differs: engrama keeps a node a note, merges one of the same name, waits for the disk at each put and gives the
best by FTS5's own ranking. hardwon looks for secrets in the note and keeps it as a memory with scope, times, source and
history; it waits for the disk only for what a user said, and these are an agent's (processor times stand beside). It
folds and stems the words, Chinese ones too, and scores thirty candidates; the ten best are read by that score
(`search`), and as a recall ranks them, by age, confidence and how much they differ (`ranked`). Both answer with what
was kept. The words of these notes are all common.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any

from workload import memories, plain_notes, plain_questions

SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 200
MOST = 10
PACKAGE = "engrama"
PEER = """
import json, logging, os, sys, time
work = json.load(open(sys.argv[1], encoding="utf-8"))
os.environ["HOME"] = work["folder"]
os.chdir(work["folder"])
logging.disable(logging.WARNING)
from engrama import Engrama
memory = Engrama()
def timed(run, values):
    times = []
    for value in values:
        begun = time.perf_counter(), time.process_time()
        found = run(value)
        times.append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    return times, found
puts, _ = timed(lambda note: memory.remember("Problem", note.partition(":")[0], note), work["notes"])
searches, found = timed(lambda text: memory.search(text, limit=work["most"]), work["questions"])
print(json.dumps({"puts": puts, "searches": searches, "found": len(found)}))
"""


def timed(run: Callable[[Any], Any], values: Sequence[Any]) -> tuple[list[tuple[float, float]], Any]:
    """Return the wall and the processor time of each call, in seconds, and what the last gave."""
    times, found = [], None
    for value in values:
        begun = time.perf_counter(), time.process_time()
        found = run(value)
        times.append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    return times, found


def ours(work: dict[str, Any]) -> dict[str, Any]:
    """Put and search the work in a home with the store `sqlite`."""
    from hardwon.kernel.home import Home
    from hardwon.kernel.query import Query
    from hardwon.kernel.ranking import rank
    from hardwon.kernel.scope import Context

    home = Home(Path(work["folder"]))
    home.create()
    (home.path / "config.toml").write_text('store = "sqlite"\nembedder = "none"\n', encoding="utf-8")
    store = home.storage.memories
    entries = list(memories(iter(work["notes"])))
    now = entries[-1].times.asserted_at.timestamp()

    def search(text: str) -> Any:
        candidates = store.search(Query(text=text, limit=work["most"])).candidates
        best = nlargest(work["most"], candidates, key=lambda candidate: candidate.lexical)
        return store.get([candidate.id for candidate in best])

    def ranked(text: str) -> Any:
        order = rank(store.search(Query(text=text, limit=work["most"])).candidates, Context(), now)
        return store.get([each.candidate.id for each in order[: work["most"]]])

    puts, _ = timed(lambda entry: store.put([entry]), entries)
    searches, found = timed(search, work["questions"])
    in_order, _ = timed(ranked, work["questions"])
    home.close()
    return {"puts": puts, "searches": searches, "ranked": in_order, "found": len(found)}


def middle(times: Sequence[tuple[float, float]]) -> str:
    """Return the middle time of a call, the slowest of twenty, and the middle processor time."""
    walls, busy = sorted(wall * 1000 for wall, _ in times), sorted(used * 1000 for _, used in times)
    half = len(times) // 2
    return f"p50 {walls[half]:6.2f} ms, p95 {walls[int(len(walls) * 0.95)]:6.2f} (processor p50 {busy[half]:5.2f})"


def report(name: str, result: dict[str, Any]) -> None:
    """Print the lines of one side."""
    puts = result["puts"]
    rate, busy = len(puts) / sum(wall for wall, _ in puts), len(puts) / sum(used for _, used in puts)
    print(f"  {name:8} {rate:7,.0f} puts/s ({busy:7,.0f} of processor time)", flush=True)
    print(f"  {name:8} search {middle(result['searches'])}; {result['found']} answers", flush=True)
    if "ranked" in result:
        print(f"  {name:8} ranked {middle(result['ranked'])}", flush=True)


def find_python() -> str:
    """Return a Python whose SQLite can load extensions, without which the peer does not start."""
    tried = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
    for folder in [Path(sys.executable).parent, *map(Path, os.defpath.split(os.pathsep)), Path("/usr/local/bin")]:
        python = folder / "python3"
        if python.exists() and subprocess.run([python, "-c", tried], capture_output=True, check=False).returncode == 0:
            return str(python)
    raise SystemExit("engrama needs a Python whose SQLite can load extensions; install one, such as the system's.")


def install(python: str, folder: Path) -> Path:
    """Install the peer for a Python into a folder."""
    uv = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
    subprocess.run([uv, "pip", "install", "--quiet", "--python", python, "--target", folder, PACKAGE], check=True)
    return folder


def run(command: Sequence[str | Path], packages: Path | None = None) -> dict[str, Any]:
    """Run one side in a process of its own and return its figures."""
    environment = {**os.environ, **({"PYTHONPATH": str(packages)} if packages else {})}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def compare(folder: Path, size: int, python: str, packages: Path) -> None:
    """Give both sides the same work and print what each needed."""
    work: dict[str, Any] = {"notes": list(plain_notes(size)), "questions": plain_questions(QUESTIONS), "most": MOST}
    print(f"{size:,} memories", flush=True)
    sides = (("hardwon", [sys.executable, __file__, "--ours"], None), (PACKAGE, [python, "-c", PEER], packages))
    for name, command, found_in in sides:
        own = folder / f"{name}-{size}"
        own.mkdir()
        given = folder / f"{name}-{size}.json"
        given.write_text(json.dumps({**work, "folder": str(own)}), encoding="utf-8")
        report(name, run([*command, str(given)], found_in))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--packages", type=Path, help="a folder that has engrama")
    parser.add_argument("--ours", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ours:
        print(json.dumps(ours(json.loads(given.ours.read_text(encoding="utf-8")))))
        return
    with tempfile.TemporaryDirectory() as folder:
        python = find_python()
        packages = given.packages or install(python, Path(folder) / "peer")
        for size in given.sizes:
            compare(Path(folder), size, python, packages)


if __name__ == "__main__":
    main()
