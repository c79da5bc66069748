"""What the journeys share: lessons of several projects with one cause, and the rule that comes of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PRINCIPLE = "Write a new file beside the old one, flush it, and rename it over the old one."
LESSONS = (
    (
        "shop",
        "The settings file was cut in half when the power failed while it was being saved; it is written aside now.",
    ),
    (
        "maps",
        "A full disk left an empty cache index behind, since the old file was truncated before the new one stood.",
    ),
    ("blog", "保存配置时进程被杀死，文件只剩一半；现在先写临时文件再改名替换。"),
)


@pytest.fixture
def memory(environment: dict[str, str]) -> Path:
    """Return the folder of Markdown in the user's home."""
    return Path(environment["HARDWON_HOME"]) / "memory"


@pytest.fixture
def three_lessons(tmp_path: Path) -> Path:
    """Return a file of three lessons of three projects that have one cause."""
    path = tmp_path / "lessons.jsonl"
    lines = [
        {"id": f"L-{number}", "project": project, "content": content, "lesson": {"principle": PRINCIPLE}}
        for number, (project, content) in enumerate(LESSONS, start=1)
    ]
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines), encoding="utf-8")
    return path


@pytest.fixture
def accepted(answer: Callable[..., Any], three_lessons: Path) -> dict[str, Any]:
    """Return what accepting the proposal of the three lessons printed."""
    answer("import", three_lessons)
    answer("consolidate")
    (proposal,) = answer("review", "list")
    taken: dict[str, Any] = answer("review", "accept", proposal["id"])
    return taken
