"""What is changed without a decision is told within that change: nothing stands that cannot be taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.lesson_fields import DERIVED
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry, Source
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.filling import Filling, fill_in
from hardwon.kernel.use_cases.reverting import revert
from hardwon.kernel.use_cases.rules.bearings import take_bearings
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import open_fake_home

PRINCIPLE = "Set a time limit on every network call."
LESSON = memory("The shop hung on a call.", "shop", source=Source(said_by="agent", harness="codex", session="s1"))
AGREEING = memory("The mail hung.", "mail", MOMENT + timedelta(days=1), lesson=Lesson(principle=PRINCIPLE))
RULE = memory(PRINCIPLE, kind=Kind.RULE, lesson=Lesson(principle=PRINCIPLE))


def filled(home: Home) -> str:
    (lesson,) = home.storage.memories.get([LESSON.id]).values()
    return fill_in(home, [Filling(lesson, {"cause": "It had no limit."}, DERIVED)]).id


CHANGES: dict[str, Callable[[Home], Callable[[], object]]] = {
    "a lesson bears on a rule": lambda home: lambda: take_bearings(home, [AGREEING], [RULE]),
    "fields are filled in": lambda home: lambda: filled(home),
    "a session is taken back": lambda home: lambda: revert(home, "s1"),
    "a backfill is taken back": lambda home: (lambda id: lambda: revert(home, id))(filled(home)),
}


def stands(home: Home) -> tuple[list[MemoryEntry], set[tuple[str, str, str]]]:
    entries = list(home.storage.memories.scan(Filter(statuses=None)))
    return entries, {edge.key for entry in entries for edge in home.storage.memories.relations(entry.id)}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_cannot_be_told_does_not_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Home], Callable[[], object]]
) -> None:
    """The disk is full, or the process ends, just before the line is written."""

    def full(*_: object) -> None:
        raise StoreError("The disk is full; make room.")

    with open_fake_home(tmp_path) as home:
        home.storage.memories.put([LESSON, AGREEING, RULE])
        make = change(home)
        before = stands(home)
        with monkeypatch.context() as patch:
            patch.setattr(home.storage.ledger, "append", full)
            with pytest.raises(StoreError):
                make()
        assert stands(home) == before
        make()
        assert stands(home) != before
