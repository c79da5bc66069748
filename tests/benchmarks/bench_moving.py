"""How long a memory takes to move: round all stores, into an archive and back, into a backup and back.

`python tests/benchmarks/bench_moving.py [MEMORIES] [--postgres]` prints a table in Markdown; 10,000 unless told. Every
fourth memory has a link, every tenth a former state, every one a line of activity. After each move the export is
compared with the first one, byte for byte. `processor` is of this process, without a server's; the last column is the
most memory that it took until then.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hardwon.kernel.batches import batches
from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.moving.backing_up import back_up
from hardwon.kernel.use_cases.moving.bringing_back import bring_back, check_backup
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.migrating import migrate
from hardwon.kernel.use_cases.moving.restoring import restore

MEMORIES = 10_000
_START = datetime(2024, 1, 1, tzinfo=UTC)


def memories(count: int) -> Iterator[MemoryEntry]:
    """Walk memories of some forty words, of twenty projects."""
    for number in range(count):
        at = _START + timedelta(minutes=number)
        content = (
            f"Lesson {number}: the deploy of service {number % 97} failed. " + "It waited for a certificate that " * 5
        )
        scope = Scope(project=f"project-{number % 20}")
        yield MemoryEntry(id=new_id(at), content=content, scope=scope, times=Times(asserted_at=at))


def fill(home: Home, count: int) -> None:
    """Put memories with links, former states and activity into a home."""
    for entries in batches(memories(count), 2_000):
        with home.storage.operation("Fill"):
            home.storage.memories.put(entries)
        with home.storage.operation("Change and link"):
            for entry in entries[::10]:
                home.storage.memories.update(entry.id, {"importance": 0.75})
            ends = zip(entries[::4], entries[1::4], strict=False)
            home.storage.memories.relate(
                [
                    Relation(source=one.id, kind=RelationKind.RELATES_TO, target=two.id, asserted_at=_START)
                    for one, two in ends
                ]
            )
        home.storage.ledger.append([Activity(kind="shown", at=_START, memory=entry.id) for entry in entries])


def exported(path: Path, to: Path | None = None) -> str:
    """Return the hash of a home's archive, which is written to a file too if one is named."""
    digest = hashlib.sha256()
    with Home(path) as home, (to or Path(os.devnull)).open("wb") as file:
        for line in archive_lines(home, []):
            data = f"{line}\n".encode()
            digest.update(data)
            file.write(data)
    return digest.hexdigest()


def timed(what: str, run: Callable[[], object]) -> None:
    """Run and print how long it took, by the clock and of this process's processor, and the most memory until then."""
    began, busy = time.perf_counter(), time.process_time()
    found = run()
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"| {what} | {seconds:,.1f} s | {busy:,.1f} s | {found if isinstance(found, str) else ''} | {peak:,.0f} MB |",
        flush=True,
    )


def moved(path: Path, to: str, address: str = "", *, afresh: bool = False) -> str:
    """Move a home's memory; return for how long writers had to wait."""
    with Home(path) as home:
        result = migrate(home, to, address, afresh=afresh)
        assert all(part.is_equal for part in result.parts)
        return f"writers waited {result.held:,.1f} s"


def main(folder: Path, count: int, url: str) -> None:
    """Print the table."""
    path, archive, backup = folder / "home", folder / "archive.jsonl", folder / "memory.backup"
    print(f"{count:,} memories\n\n| | time | processor | | memory |\n|---|---:|---:|---|---:|")
    with Home(path) as home:
        home.create()
        (path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        timed("fill the files store", lambda: fill(home, count))
    first = ""

    def export() -> str:
        nonlocal first
        first = exported(path, archive)
        return f"{archive.stat().st_size / 1e6:,.1f} MB"

    timed("export from files", export)
    timed("files → sqlite", lambda: moved(path, "sqlite"))
    timed("export from sqlite", lambda: equal(exported(path), first))
    if url:
        timed("sqlite → postgres", lambda: moved(path, "postgres", url))
        timed("export from postgres", lambda: equal(exported(path), first))
        timed("postgres → files", lambda: moved(path, "files", afresh=True))
        timed("export from files again", lambda: equal(exported(path), first))
    for store in ("sqlite", "files"):
        other = folder / store
        with Home(other) as home:
            home.create()
            (other / "config.toml").write_text(f'embedder = "none"\nstore = "{store}"\n', encoding="utf-8")
            timed(f"import the archive into {store}", lambda: f"{restore(home, archive).taken:,} memories")
            timed("import it once more", lambda: f"{restore(home, archive).taken:,} memories")
        timed("export", lambda: equal(exported(other), first))  # noqa: B023
        with Home(other) as home:
            file = backup.with_suffix(f".{store}")
            timed(f"backup of {store}", lambda: f"{back_up(home, file).size / 1e6:,.1f} MB")  # noqa: B023
            timed("check it", lambda: f"{sum(check_backup(home, file).counts.values()):,} records")  # noqa: B023
        with Home(folder / f"{store}-back") as home:
            timed("restore it", lambda: bring_back(home, file) and "")  # noqa: B023
        timed("export", lambda: equal(exported(folder / f"{store}-back"), first))  # noqa: B023


def equal(found: str, expected: str) -> str:
    """Return that two are equal. Raises AssertionError."""
    assert found == expected
    return "equal"


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    with contextlib.ExitStack() as held:
        address = ""
        if "--postgres" in sys.argv:
            from hardwon.stores.postgres.embedded import EmbeddedServer

            address = held.enter_context(EmbeddedServer()).url
        main(Path(held.enter_context(tempfile.TemporaryDirectory())), numbers[0] if numbers else MEMORIES, address)
