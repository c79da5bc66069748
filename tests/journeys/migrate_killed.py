"""Moves a memory and is killed (SIGKILL) at a random step, again and again; each time the repeated command goes on.

`python migrate_killed.py FOLDER TIMES [SEED]`: every time a home is moved from files to SQLite or back, killed at some
step of some try, written to by whoever is in charge then, and moved to the end. Prints as JSON how often it was killed,
and what was not as it should be in the end.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sys
from functools import partial
from itertools import pairwise
from pathlib import Path

from killing import killed_at_step, steps_of

from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.migrating import migrate
from hardwon.testing.conformance.journal import entry, turn
from hardwon.testing.examples import MOMENT, complete_decision, complete_proposal, memory, related_lessons

WAYS = (("files", "sqlite"), ("sqlite", "files"))


def make(path: Path, store: str) -> None:
    """Make a home with some of everything."""
    with Home(path) as home:
        home.create()
        (path / "config.toml").write_text(f'embedder = "none"\nstore = "{store}"\n', encoding="utf-8")
        lessons = [*related_lessons(), *(memory(f"lesson {number}", "shop") for number in range(12))]
        home.storage.memories.put(lessons)
        ends = pairwise(lessons)
        edges = [
            Relation(source=one.id, kind=RelationKind.RELATES_TO, target=two.id, asserted_at=MOMENT)
            for one, two in ends
        ]
        home.storage.memories.relate(edges)
        home.storage.memories.unrelate(edges[:2], MOMENT)
        home.storage.memories.update(lessons[0].id, {"importance": 0.9})
        home.queue.add([complete_proposal()])
        home.storage.ledger.decide(complete_decision())
        home.storage.journal.write([entry(turn("t-1"))])
        home.storage.documents.write("notes.md", "mine\n")


def move(path: Path, to: str) -> None:
    """Move the memory, if that was not done to its end before."""
    with Home(path) as home, contextlib.suppress(UsageError):
        migrate(home, to)


def write(path: Path) -> list[str]:
    """Write something to whatever store is in charge; return everything that it holds then."""
    with Home(path) as home:
        home.storage.memories.put([memory("between", "shop", id=new_id(home.clock.now()))])
        return list(archive_lines(home, []))


def faults(path: Path, to: str, expected: list[str]) -> list[str]:
    """Return what is not as it should be after the end."""
    with Home(path) as home:
        found = list(archive_lines(home, []))
        told = [problem.what for problem in home.storage.problems()]
        told += [] if home.settings.store == to else [f"the store is {home.settings.store}"]
        told += [f"only before: {line[:200]}" for line in expected if line not in found and '"type":"end"' not in line]
        return told + [
            f"only after: {line[:200]}" for line in found if line not in expected and '"type":"end"' not in line
        ]


def main(folder: Path, times: int, seed: int) -> None:
    """Be killed that often."""
    chance, killed, wrong = random.Random(seed), 0, []
    steps = {}
    for source, to in WAYS:
        make(folder / source, source)
        shutil.copytree(folder / source, folder / "counted")
        steps[to] = steps_of(partial(move, folder / "counted", to))
        shutil.rmtree(folder / "counted")
    for number in range(times):
        source, to = WAYS[number % 2]
        path = folder / "home"
        shutil.copytree(folder / source, path)
        while chance.random() < 0.7:
            killed += killed_at_step(chance.randint(1, steps[to]), partial(move, path, to))
        expected = write(path)
        move(path, to)
        wrong += [f"{number}: {fault}" for fault in faults(path, to, expected)]
        shutil.rmtree(path)
    print(json.dumps({"killed": killed, "wrong": wrong, "steps": steps}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
