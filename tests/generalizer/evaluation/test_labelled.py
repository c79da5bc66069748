"""A labelled set that cannot be read says where, and nothing of it is taken for something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.generalizer.evaluation.labelled import read_labelled
from hardwon.kernel.errors import InvalidInput

LESSON = {"id": "1", "project": "shop", "content": "The test slept.", "cause": "sleep"}


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_lessons_lose_their_labels_and_tasks_stand_apart(tmp_path: Path) -> None:
    """The generalizer must never see a cause."""
    found = read_labelled(write(tmp_path / "set.jsonl", LESSON, {"task": "写一个测试", "cause": None}))
    assert found.lessons == [{"id": "1", "project": "shop", "content": "The test slept."}]
    assert found.causes == {"1": "sleep"}
    assert [(each.text, each.cause, each.language) for each in found.tasks] == [("写一个测试", None, "zh")]


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        "[]",
        '{"id": "2"}',
        '{"content": "x"}',
        '{"id": "1", "content": "y"}',
        '{"id": "3", "content": "z", "cause": 5}',
    ],
)
def test_a_broken_line_is_named(broken: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"set\.jsonl:2"):
        read_labelled(write(tmp_path / "set.jsonl", LESSON, broken))


@pytest.mark.parametrize("content", [b"", b"\n\n", b'{"task": "t", "cause": null}', b"\xff\xfe\x00"])
def test_a_set_without_lessons_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidInput):
        read_labelled(path)
