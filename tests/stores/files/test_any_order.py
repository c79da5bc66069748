"""Whatever a person and commands do in whatever order, the history is clean and a new index says what the old one said.

Copies of files are left out: which of two files with one id counts is a rule of its own (test_copies_and_checkouts).
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, git

STEPS = 30


class Somebody:
    """Does one thing after another, by hand and by commands, on a store that stays open."""

    def __init__(self, open_store: Open, folder: Path, chance: random.Random) -> None:
        self.open_store, self.folder, self.chance = open_store, folder, chance
        self.storage: FilesStorage = open_store()
        self.number = 0
        self.storage.memories.put([memory(f"Start {number}.", "shop") for number in range(6)])

    def step(self) -> None:
        """Do anything; where a file was just deleted by hand, a command may refuse to write to it."""
        self.number += 1
        things: list[Callable[[], object]] = [
            self.put, self.update, self.relate, self.forget, self.write_document,
            self.edit, self.rename, self.move, self.delete, self.restore, self.note, self.commit, self.reopen,
        ]  # fmt: skip
        try:
            self.chance.choice(things)()
        except Conflict as error:
            assert "by hand" in str(error)

    def any_memory(self) -> MemoryEntry:
        return self.chance.choice(list(self.storage.memories.scan(Filter())))

    def any_file(self) -> Path:
        return self.chance.choice(sorted((self.folder / "digest").rglob("*.md")))

    def put(self) -> None:
        self.storage.memories.put([memory(f"New {self.number}.", "farm", topics=("ci.deploy",))])

    def update(self) -> None:
        self.storage.memories.update(self.any_memory().id, {"content": f"Changed {self.number}."})

    def relate(self) -> None:
        source, target = self.any_memory().id, self.any_memory().id
        if source != target:
            edge = Relation(source=source, kind=RelationKind.SUPERSEDES, target=target, asserted_at=MOMENT)
            self.storage.memories.relate([edge])

    def forget(self) -> None:
        everything = list(self.storage.memories.scan(Filter(statuses=None)))
        self.storage.memories.delete([self.chance.choice(everything).id])

    def write_document(self) -> None:
        self.storage.documents.write("review-queue/p1.md", f"Text {self.number}.\n")

    def edit(self) -> None:
        with self.any_file().open("a", encoding="utf-8") as file:
            file.write(f"Edited {self.number}.\n")

    def rename(self) -> None:
        path = self.any_file()
        path.rename(path.with_name(f"renamed {self.number}.md"))

    def move(self) -> None:
        path = self.any_file()
        folder = self.folder / "digest" / "shop" / self.chance.choice(["tests", "ci/runners"])
        folder.mkdir(parents=True, exist_ok=True)
        path.rename(folder / path.name)

    def delete(self) -> None:
        self.any_file().unlink()

    def restore(self) -> None:
        for entry in self.storage.memories.scan(Filter(statuses=None)):
            if "restore_with" in entry.metadata:
                subprocess.run(entry.metadata["restore_with"], shell=True, cwd=self.folder, check=True)
                git(self.folder, "reset", "-q")  # what is staged stays staged, and would show
                return

    def note(self) -> None:
        path = self.folder / "digest" / "shop" / f"note {self.number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Note {self.number}, see [[note 3]].\n", encoding="utf-8")

    def commit(self) -> None:
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "-q", "--allow-empty", "-m", "By a person")

    def reopen(self) -> None:
        self.storage.close()
        self.storage = self.open_store()


def everything(storage: FilesStorage) -> tuple[list[str], set[str]]:
    entries = list(storage.memories.scan(Filter(statuses=None)))
    edges = {edge.model_dump_json() for entry in entries for edge in storage.memories.relations(entry.id)}
    return [entry.model_dump_json() for entry in entries], edges


def counted(storage: FilesStorage) -> dict[tuple[str, str], int]:
    """Return how many memories lie where, as the index counts them while they come and go."""
    rows = storage._opened.workspace.index.rows("SELECT project, topic, number FROM places WHERE number != 0")
    return {(row["project"], row["topic"]): row["number"] for row in rows}


def counts(storage: FilesStorage) -> dict[tuple[str, str], int]:
    """Return the same by counting."""
    rows = storage._opened.workspace.index.rows(
        "SELECT coalesce(project, '') AS project, topic, count(*) AS number FROM memories"
        " WHERE status != 'archived' AND kind != 'rule' GROUP BY 1, 2"
    )
    return {(row["project"], row["topic"]): row["number"] for row in rows}


@pytest.mark.parametrize("seed", range(4))
def test_a_new_index_says_what_the_old_one_said(open_store: Open, memory_folder: Path, seed: int) -> None:
    somebody = Somebody(open_store, memory_folder, random.Random(seed))
    for number in range(STEPS):
        somebody.step()
        if number % 10 == 9:
            somebody.reopen()
            somebody.put()
            assert git(memory_folder, "status", "--short") == ""
            assert git(memory_folder, "fsck", "--strict", "--no-dangling") == ""
            assert counted(somebody.storage) == counts(somebody.storage)
            before = everything(somebody.storage)
            somebody.storage.reindex()
            assert everything(somebody.storage) == before
