"""Consolidates and is killed, each time at another point; looks at what the next run makes of it.

`python tests/journeys/consolidate_killed.py [--points N] [--random N] [--seed N] [--part K N]`: makes a home in which
a run has everything to do, and in a copy of it for each point a child process that is killed (SIGKILL): before its
n-th step, the points being spread evenly over all steps (every step where there are no more of them), or after a
random time. Then a second run makes what the first one did not; everything must be as after a run that nobody
disturbed, and a third run must find nothing to do. Prints how many were killed, and what was different, as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from killing import killed_at_step, steps_of

from hardwon.generalizer.catalogue import shipped_catalogue
from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry, Source, Status, Times
from hardwon.kernel.query import Filter
from hardwon.kernel.registry import registry
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.embedding import embed_missing
from hardwon.kernel.use_cases.review import accept
from hardwon.kernel.use_cases.running.run import run
from hardwon.testing.fakes.clock import FixedClock
from hardwon.testing.fakes.extractor import FakeExtractor
from hardwon.testing.fakes.harness import FakeHarness

BEGUN = datetime(2026, 3, 1, tzinfo=UTC)
TOPICS = ("data.file.", "concurrency.timing.", "operations.resilience.", "operations.expiry.")
"""Of the causes that are known here: with all of them each run takes five times as long."""
SETTINGS = 'extractor = "fake"\n'
ASIDE = "Write a new file beside the old one, flush it, and rename it over the old one."
CLOCK = "Control the clock in tests instead of sleeping."
EXPIRY = "Renew certificates automatically and raise an alarm weeks before one expires."
LIMIT = "Give every call to another service a deadline."
FIRST = (
    ("shop", CLOCK, "The checkout test slept two seconds and failed on a slow runner; a fake clock fixed it."),
    ("blog", CLOCK, "Our cache test slept until the entry expired and was flaky; we inject the clock now."),
    ("maps", CLOCK, "A fixed sleep in the scheduler test was too short under load; it waits for the event now."),
    ("radio", EXPIRY, "The TLS certificate of the stream expired on a Sunday and every player refused to connect."),
    ("farm", EXPIRY, "Nobody knew that the certificate of the broker would expire; it is renewed automatically now."),
    ("bank", EXPIRY, "An expired certificate on the gateway stopped all payments; an alert comes 30 days before."),
    ("shop", ASIDE, "The settings file was cut in half when the power failed while it was being saved."),
    ("maps", ASIDE, "A full disk left an empty cache index, since the old file was truncated before the new stood."),
    ("blog", ASIDE, "The process was killed while writing the config file and half of it was left behind."),
)
LATER = (
    ("mail", CLOCK, "The delivery test used sleep and failed now and then; polling for the message made it steady."),
    ("ship", EXPIRY, "Certificate renewal had failed silently for weeks; we monitor the expiry date that is served."),
    ("bank", LIMIT, "The payment client had no timeout, so a hanging partner used up all worker threads."),
    ("mail", LIMIT, "A request without a timeout to the address service hung for an hour and blocked the queue."),
    ("farm", LIMIT, "The weather call had no deadline; when the service hung, every page hung with it."),
)


def opened(home: Path) -> Home:
    """Return the home, at a moment that stands still, with a harness, an extractor and a few of the causes."""
    everything = registry()
    if "fake" not in everything.all("harnesses"):
        everything.offer("harnesses", "fake", FakeHarness(home.parent / "harness"), "tests")
        everything.offer("extractors", "fake", lambda _home: FakeExtractor(), "tests")
    opened = Home(home, clock=FixedClock(BEGUN + timedelta(days=30)))
    generalizer = OfflineGeneralizer(opened)
    generalizer.concepts = tuple(each for each in shipped_catalogue() if each.topic.startswith(TOPICS))
    opened.generalizer = generalizer
    return opened


def lesson(project: str, principle: str, content: str, day: int) -> MemoryEntry:
    """Return a lesson that is the same one every time."""
    moment = BEGUN + timedelta(days=day)
    return MemoryEntry(
        id=f"0{day:017d}",
        content=content,
        lesson=Lesson(principle=principle),
        scope=Scope(project=project),
        source=Source(said_by="agent"),
        times=Times(asserted_at=moment, valid_at=moment),
    )


def prepare(home: Path) -> None:
    """Make a home in which a run adds, refreshes and withdraws proposals, links lessons to a rule, and captures."""
    with opened(home) as home_:
        home_.create()
        (home / "config.toml").write_text(SETTINGS, encoding="utf-8")
    with opened(home) as home_:
        first = [lesson(*each, day) for day, each in enumerate(FIRST)]
        home_.storage.memories.put(first)
        run(home_, "command")
        about = {each.id: each for each in home_.queue.pending()}
        expiry = next(each for each in about.values() if first[3].id in {one.id for one in each.instances})
        accept(home_, expiry, by="ada")
        home_.storage.memories.put([lesson(*each, day) for day, each in enumerate(LATER, start=len(FIRST))])
        home_.storage.memories.update(first[6].id, {"status": Status.ARCHIVED})
        embed_missing(home_)
    said(home, "s-1", "user: Remember: The office is closed on Fridays.", "agent: Root cause: The key was at home.")
    said(home, "s-2", "user: Remember: The parcels are in the cellar.")
    shown = {"format": 1, "harness": "fake", "moment": "shown", "session": "s-2", "folder": "/", "at": 1.0}
    spool.put(str(home), json.dumps({**shown, "shown": [["m-1", "direct", 0.5]]}).encode())


def said(home: Path, session: str, *lines: str) -> None:
    """Leave a session for the capture."""
    transcript = home.parent / "harness" / f"{session}.jsonl"
    transcript.parent.mkdir(exist_ok=True)
    rows = [dict(zip(("by", "text"), line.split(": ", 1), strict=True)) for line in lines]
    told = [json.dumps({"id": f"{session}-{number}", "session": session, **row}) for number, row in enumerate(rows)]
    transcript.write_text("".join(f"{row}\n" for row in told), encoding="utf-8")
    record = {
        "format": 1, "harness": "fake", "moment": "turn-end", "session": session, "folder": "/",
        "transcript": str(transcript), "size": transcript.stat().st_size, "turn": None, "at": BEGUN.timestamp(),
    }  # fmt: skip
    spool.put(str(home), json.dumps(record).encode())


def consolidated(home: Path) -> None:
    """Make a run."""
    with opened(home) as home_:
        run(home_, "command")


def state(home: Path) -> dict[str, Any]:
    """Return everything that must be the same, whatever happened."""
    with opened(home) as home_:
        storage = home_.storage
        entries = {each.id: each for each in storage.memories.scan(Filter(statuses=None))}
        edges = {edge.key: edge for id in entries for edge in storage.memories.relations(id)}
        name = {id: entry.content for id, entry in entries.items()}  # what was captured has a new id each time
        found = {
            "memories": sorted(_plain(entry.model_dump(mode="json"), "id") for entry in entries.values()),
            "edges": sorted(f"{name[a]} {kind} {name[b]} {edges[a, kind, b].weight}" for a, kind, b in edges),
            "proposals": sorted(_plain(each.model_dump(mode="json")) for each in home_.queue.all()),
            "decisions": sorted(_plain(each.model_dump(mode="json")) for each in storage.ledger.decisions()),
            "turns": sorted((each.session, each.turns) for each in storage.journal.sessions()),
            "problems": [f"{each.where}: {each.what}" for each in (*storage.problems(), *home_.queue.problems())],
        }
    found["spool"] = spool.waiting(str(home))
    found["leftovers"] = sorted(str(path.relative_to(home)) for path in home.rglob(".hardwon-aside-*"))
    found["history"] = git(home, "status", "--porcelain") + git(home, "log", "--format=%s", "--grep=by hand")
    return found


def _plain(value: dict[str, Any], *without: str) -> str:
    return json.dumps({key: each for key, each in value.items() if key not in without}, sort_keys=True)


def git(home: Path, *arguments: str) -> str:
    """Return what git says of the memory."""
    command = ["git", "-C", str(home / "memory"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def in_child(work: Callable[[], Any]) -> Any:
    """Do the work in a process of its own and return what it returns: nothing of it is left in this one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writing, "w", encoding="utf-8") as told:
            json.dump(work(), told)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as told:
        text = told.read()
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"A run that nobody disturbed failed with {status}.")
    return json.loads(text)


def after(home: Path) -> dict[str, Any]:
    """Make the next run; return how everything stands then, and what the run after it finds to do."""

    def look() -> dict[str, Any]:
        consolidated(home)
        found = state(home)
        with opened(home) as home_:
            again = run(home_, "command")
        return {**found, "again": [len(again.added), len(again.refreshed), len(again.withdrawn), dict(again.steps)]}

    found: dict[str, Any] = in_child(look)
    return found


def killed_after(seconds: float, work: Callable[[], None]) -> bool:
    """Do the work in a child that is killed after so long; return whether it had not ended by then."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def warm_up(original: Path) -> None:
    """Let this process read what every run reads, so that no child has to: programs, catalogue, embedder."""
    spare = original.with_name("spare")
    copied(original, spare)
    consolidated(spare)
    shutil.rmtree(spare)


def rounds(original: Path, points: int, times: int, seed: int, part: Sequence[int]) -> Iterator[tuple[str, Path, bool]]:
    """Walk the rounds: where each was to be killed, its home, and whether it was."""
    warm_up(original)
    spare = original.with_name("spare")
    copied(original, spare)
    begun = time.monotonic()
    steps = steps_of(lambda: consolidated(spare))
    took = time.monotonic() - begun
    shutil.rmtree(spare)
    numbers = sorted({1 + round(place * (steps - 1) / max(1, points - 1)) for place in range(min(points, steps))})
    numbers = numbers[part[0] - 1 :: part[1]]
    print(json.dumps({"steps": steps, "points": len(numbers), "times": times}), flush=True)
    chance = random.Random(f"{seed} {part}")
    for number in numbers:
        home = original.with_name("round")
        copied(original, home)
        yield f"step {number}", home, killed_at_step(number, lambda: consolidated(home))  # noqa: B023 - called at once
        shutil.rmtree(home)
    for _ in range(times):
        home, seconds = original.with_name("round"), chance.uniform(0, took)
        copied(original, home)
        yield f"{seconds:.3f} s", home, killed_after(seconds, lambda: consolidated(home))  # noqa: B023
        shutil.rmtree(home)


def copied(original: Path, home: Path) -> None:
    """Copy a home so that its index knows the files as they are: a copy has other inodes and times."""
    shutil.copytree(original, home, symlinks=True)


def main() -> None:
    """Print one JSON line at the beginning, one for each round in which something was different, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--part", type=int, nargs=2, default=(1, 1), metavar=("K", "N"), help="every N-th point")
    given = parser.parse_args()
    os.environ["HARDWON_NO_BACKGROUND"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder) / "home"
        in_child(lambda: prepare(original))
        undisturbed = Path(folder) / "undisturbed"
        copied(original, undisturbed)
        before, expected = in_child(lambda: state(original)), after(undisturbed)
        counts = Counter(different=0, killed=0, rounds=0)
        for where, home, killed in rounds(original, given.points, given.random, given.seed, given.part):
            found = after(home)
            wrong = {name: [found[name], expected[name]] for name in expected if found[name] != expected[name]}
            counts.update(rounds=1, killed=int(killed), different=int(bool(wrong)))
            if wrong:
                print(json.dumps({"where": where, **wrong}), flush=True)
            if counts["rounds"] % 100 == 0:
                print(json.dumps(counts), file=sys.stderr, flush=True)
    changed = sorted(name for name in before if before[name] != expected[name])
    print(json.dumps({**counts, "changed_by_a_run": changed, "again": expected["again"]}))


if __name__ == "__main__":
    main()
