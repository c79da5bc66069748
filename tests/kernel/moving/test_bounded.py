"""Export and import hold some records at a time, however many there are."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.moving import exporting, restoring
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeStorage, open_fake_home

NUMBER, SIZE = 400, 20_000
"""8 MB in all; what is held at a time here is 10 of them, some fifth of a megabyte."""
MOST = 2_500_000


class Endless:
    """A store of memories that are made when they are walked, and forgotten when they are kept."""

    def __init__(self, inner: Any, number: int) -> None:
        self._inner = inner
        self._number = number
        self.kept = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def scan(self, filter: Filter) -> Iterator[MemoryEntry]:
        """Walk memories of some size, and none that has a key asked for."""
        if filter.idempotency_keys is None:
            yield from (memory(f"{number} ".ljust(SIZE, "x")) for number in range(self._number))

    def put(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Count memories."""
        self.kept += len(entries)
        return list(entries)


def test_neither_way_holds_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 8 MB goes out and comes in."""
    for module in (exporting, restoring):
        monkeypatch.setattr(module, "AT_ONCE", 10)
    storage, path = FakeStorage(), tmp_path / "archive.jsonl"
    storage._memories = Endless(storage.memories, NUMBER)  # type: ignore[assignment]
    home = open_fake_home(tmp_path / "home", storage=storage)
    other = FakeStorage()
    other._memories = endless = Endless(other.memories, 0)  # type: ignore[assignment]
    there = open_fake_home(tmp_path / "other", storage=other)
    tracemalloc.start()
    try:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in archive_lines(home, []))
        assert tracemalloc.get_traced_memory()[1] < MOST
        tracemalloc.reset_peak()
        assert restore(there, path).taken == NUMBER
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 3 * MOST
    assert endless.kept == NUMBER
