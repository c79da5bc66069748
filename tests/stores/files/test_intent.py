"""The record of a change under way: one that we did not write in this format is not ours to act on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.kernel.errors import NewerFormat
from hardwon.stores.files.atomic.intent import FILE_NAME, FORMAT_VERSION, Intent, read_intent, write_intent
from hardwon.testing.examples import memory

from .conftest import Open


def test_a_change_under_way_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_intent(tmp_path) is None
    write_intent(tmp_path, Intent("a" * 40, None))
    assert read_intent(tmp_path) == Intent("a" * 40, None)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b"{}", b'{"version": 1}'])
def test_what_is_no_record_is_let_go(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    assert read_intent(tmp_path) is None
    assert not (tmp_path / FILE_NAME).exists()


@pytest.mark.parametrize("rest", [{}, {"commit": "a" * 40, "parent": None}])
def test_a_newer_hardwons_change_is_left_for_it(open_store: Open, home_path: Path, rest: dict[str, object]) -> None:
    """Whatever else it says: nothing is written beside it, and it is there for the one that can finish it."""
    open_store().memories.put([memory("First.")])
    record = json.dumps({"version": FORMAT_VERSION + 1, **rest}).encode()
    (home_path / FILE_NAME).write_bytes(record)
    with pytest.raises(NewerFormat, match=f"{FILE_NAME}.*upgrade hardwon"):
        open_store().memories.put([memory("Second.")])
    assert (home_path / FILE_NAME).read_bytes() == record
