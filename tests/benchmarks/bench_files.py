"""How fast the files store writes, opens and rebuilds, each beside what the machine needs for the bare thing.

`python tests/benchmarks/bench_files.py [MEMORIES …]` prints a table in Markdown; 1,000 and 10,000 memories unless told.
Targets: 1,000 memories/s into one commit; a single put with its commit in 10 ms at 1,000 to 100,000 memories on a quiet
machine; opening 100,000 in 150 ms, and looking at all their files in 700 ms; an index of 2,000 files/s; `git status`
clean within two seconds of the last write. On a busy machine, look at the ratios.
"""

from __future__ import annotations

import functools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import Kind, MemoryEntry, Times
from hardwon.kernel.query import Filter
from hardwon.kernel.scope import Scope
from hardwon.stores.files.storage import FilesStorage, open_files

SIZES = (1_000, 10_000)
PROJECTS, TOPICS = 20, 5
SINGLE_PUTS = 50
GIT = ("git", "-c", "core.fsync=none", "-c", "user.name=bench", "-c", "user.email=bench@localhost")
Row = tuple[str, str, str, str, str]
_START = datetime(2024, 1, 1, tzinfo=UTC)


def entry(number: int) -> MemoryEntry:
    """Return a memory of some forty words, one of a hundred places."""
    at = _START + timedelta(minutes=number)
    content = f"Lesson {number}: the deploy of service {number % 97} failed. " + "It waited for a certificate that " * 5
    scope = Scope(project=f"project-{number % PROJECTS}")
    topics = (f"ci.part{number % TOPICS}",)
    return MemoryEntry(id=new_id(at), content=content, scope=scope, topics=topics, times=Times(asserted_at=at))


def seconds(run: Callable[[], object]) -> float:
    """Return how long one run takes."""
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def times(run: Callable[[int], object], rounds: int) -> list[float]:
    """Return how long each round takes."""
    return [seconds(functools.partial(run, number)) for number in range(rounds)]


def truth(folder: Path) -> list[Path]:
    """Return the memories' files."""
    return [path for path in folder.rglob("*.md") if ".git" not in path.parts]


def write_plainly(contents: list[bytes], folder: Path) -> None:
    """Write files aside and rename them in, as the store does, into as many folders; no history, no index."""
    for number, data in enumerate(contents):
        place = folder / str(number % (PROJECTS * TOPICS))
        place.mkdir(parents=True, exist_ok=True)
        (place / "aside").write_bytes(data)
        (place / "aside").rename(place / f"{number}.md")


def write_durably(data: bytes, path: Path) -> None:
    """Write one file so that it would survive a power cut."""
    aside = path.with_name("aside")
    with aside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    aside.rename(path)
    descriptor = os.open(path.parent, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def look(folder: Path) -> int:
    """Stat every file, as any program must that wants to know whether something changed."""
    return sum(entry.stat().st_size for entry in _walk(str(folder)))


def _walk(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                yield from _walk(each.path) if each.name != ".git" else ()
            else:
                yield each


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder; return what it says."""
    return subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def bulk(storage: FilesStorage, count: int, memory: Path, plain: Path) -> Row:
    """Measure many memories in one commit beside their bare files."""
    entries = [entry(number) for number in range(count)]
    ours = seconds(lambda: storage.memories.put(entries))
    contents = [path.read_bytes() for path in truth(memory)]
    bare = seconds(lambda: write_plainly(contents, plain))
    return _row(
        f"put {count:,} in one commit", f"{count / ours:,.0f}/s", "bare files, renamed in", bare, ours, per=count
    )


def single(storage: FilesStorage, count: int, memory: Path, plain: Path) -> Iterator[Row]:
    """Measure one memory a commit beside a durable file, and beside `git add` and `git commit`."""
    data = entry(0).content.encode()
    ours = times(lambda number: storage.memories.put([entry(count + number)]), SINGLE_PUTS)
    bare = times(lambda number: write_durably(data, plain / f"{number}.md"), SINGLE_PUTS)
    name = f"put 1 at {count:,}, with its commit"
    shown = f"median {statistics.median(ours) * 1000:.1f} ms, shortest {min(ours) * 1000:.1f} ms"
    yield _row(name, shown, "a file with two fsyncs", statistics.median(bare), statistics.median(ours))
    git(plain.parent, "clone", "-q", str(memory), "clone")
    clone = plain.parent / "clone"

    def commit(number: int) -> None:
        (clone / f"{number}.md").write_bytes(data)
        git(clone, "add", f"{number}.md")
        git(clone, "commit", "-q", "-m", "one")

    theirs = times(commit, 10)
    yield _row(name, shown, "`git add`, `git commit`", statistics.median(theirs), statistics.median(ours))


def status(storage: FilesStorage, count: int, memory: Path) -> Iterator[Row]:
    """Measure how long after a write `git status` is clean, beside `git status` when nothing changed.

    The first one is apart: git then reads every file once, to learn that it is as the index says.
    """
    first = seconds(lambda: git(memory, "status", "--porcelain"))
    bare = seconds(lambda: git(memory, "status", "--porcelain"))
    yield _row(f"the first `git status` at {count:,}", f"{first:.2f} s", "`git status` again", bare, first)
    storage.memories.put([entry(count + SINGLE_PUTS + 1)])
    begun = time.perf_counter()
    while git(memory, "status", "--porcelain"):
        time.sleep(0.05)
    ours = time.perf_counter() - begun
    yield _row(f"`git status` clean after a write at {count:,}", f"{ours:.2f} s", "`git status` again", bare, ours)


def reopen(home: Home, count: int, memory: Path) -> Iterator[Row]:
    """Measure opening a store that nothing changed, and the look at all files that its first question brings."""

    def ask(storage: FilesStorage) -> None:
        next(iter(storage.memories.scan(Filter(kinds=(Kind.RULE,)))), None)

    openings, looks = [], []
    for _ in range(7):
        begun = time.perf_counter()
        storage = open_files(home)
        openings.append(time.perf_counter() - begun)
        looks.append(seconds(functools.partial(ask, storage)))
        storage.close()
    bare = statistics.median(seconds(lambda: look(memory)) for _ in range(7))
    found = statistics.median(openings)
    yield _row(f"open unchanged at {count:,}", f"{found * 1000:.1f} ms", "stat of every file", bare, found)
    found = statistics.median(looks)
    name = f"its first question at {count:,}: all files looked at"
    yield _row(name, f"{found * 1000:.0f} ms", "stat of every file", bare, found)


def rebuild(storage: FilesStorage, count: int, memory: Path) -> Row:
    """Measure building the index anew beside reading every file."""
    ours = seconds(storage.reindex)
    bare = seconds(lambda: [path.read_bytes() for path in truth(memory)])
    return _row(f"reindex {count:,}", f"{count / ours:,.0f} files/s", "reading every file", bare, ours, per=count)


def _row(what: str, figure: str, beside: str, bare: float, ours: float, per: int | None = None) -> Row:
    shown = f"{per / bare:,.0f}/s" if per else f"{bare * 1000:.1f} ms"
    return what, figure, beside, shown, f"{ours / bare:.1f}"


def measure(count: int) -> Iterator[Row]:
    """Measure everything in a home of this many memories."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.create()
        (home.path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        memory, plain = home.path / "memory", Path(folder) / "plain"
        storage = open_files(home)
        yield bulk(storage, count, memory, plain)
        yield from single(storage, count, memory, plain)
        yield from status(storage, count, memory)
        yield rebuild(storage, count, memory)
        storage.close()
        yield from reopen(home, count, memory)
        home.close()


def main(sizes: tuple[int, ...] = SIZES) -> None:
    """Print the table."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(f"`{' '.join(['python', *sys.argv])}`, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| what | hardwon | beside | bare | times |")
    print("|---|---|---|---|---|")
    for count in sizes:
        for row in measure(count):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
