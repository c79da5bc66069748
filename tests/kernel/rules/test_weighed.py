"""A run weighs what is new or changed, and everything where a rule is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Bearing
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.consolidating.derived import FOLDER
from hardwon.kernel.use_cases.consolidating.weighed import FILE
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeGeneralizer


class Watching(FakeGeneralizer):
    """Notes what it was given to weigh."""

    def __init__(self) -> None:
        super().__init__()
        self.weighed: list[set[str]] = []
        self.foundation = "one"

    def basis(self) -> str:
        return self.foundation

    def weigh(self, lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]) -> list[Bearing]:
        self.weighed.append({lesson.id for lesson in lessons})
        return super().weigh(lessons, rules)


@pytest.fixture
def watching(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> Watching:
    """Return the generalizer of a home in which one run was made."""
    home.generalizer = Watching()
    consolidate(home)
    assert len(home.generalizer.weighed.pop()) == 4
    return home.generalizer


def test_only_new_and_changed_lessons_are_weighed_again(home: Home, watching: Watching, agreeing: MemoryEntry) -> None:
    (new,) = home.storage.memories.put([memory("A call to e hung.", "e")])
    home.storage.memories.update(agreeing.id, {"content": "A call to d hung for two hours."})

    consolidate(home)
    consolidate(home)

    assert watching.weighed == [{new.id, agreeing.id}]


def test_where_a_rule_changed_everything_is_weighed(home: Home, watching: Watching, rule: MemoryEntry) -> None:
    home.storage.memories.update(rule.id, {"content": "Set a deadline on every call."})

    consolidate(home)

    assert [len(each) for each in watching.weighed] == [4]


@pytest.mark.parametrize("change", ["another basis", "a file that is gone", "a file that is broken"])
def test_what_cannot_be_told_is_weighed_anew(home: Home, watching: Watching, change: str) -> None:
    path = home.path / FOLDER / FILE
    if change == "another basis":
        watching.foundation = "two"
    elif change == "a file that is gone":
        path.unlink()
    else:
        path.write_text("{", encoding="ascii")
    home.storage.memories.put([memory("A call to e hung.", "e")])

    consolidate(home)

    assert [len(each) for each in watching.weighed] == [5]
