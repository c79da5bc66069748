"""What the journeys share: lessons of several projects with one cause, and the rule that comes of them."""

from __future__ import annotations

import json
import shutil
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


def write_three_lessons(path: Path) -> Path:
    """Write a file of three lessons of three projects that have one cause."""
    lines = [
        {"id": f"L-{number}", "project": project, "content": content, "lesson": {"principle": PRINCIPLE}}
        for number, (project, content) in enumerate(LESSONS, start=1)
    ]
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines), encoding="utf-8")
    return path


@pytest.fixture
def three_lessons(tmp_path: Path) -> Path:
    """Return a file of three lessons of three projects that have one cause."""
    return write_three_lessons(tmp_path / "lessons.jsonl")


@pytest.fixture(scope="session")
def home_of_a_proposal(
    tmp_path_factory: pytest.TempPathFactory,
    forked_program: Any,
    environment_in: Callable[[Path], dict[str, str]],
) -> Path:
    """Return a home in which the three lessons have become a proposal; made once, for that takes seconds."""
    folder = tmp_path_factory.mktemp("proposal")
    environment = environment_in(folder)
    lessons = write_three_lessons(folder / "lessons.jsonl")
    for arguments in (["import", str(lessons)], ["consolidate"]):
        done = forked_program.run(arguments, folder, environment)
        assert done.returncode == 0, done.stderr
    return Path(environment["HARDWON_HOME"])


@pytest.fixture
def proposed(home_of_a_proposal: Path, environment: dict[str, str], answer: Callable[..., Any]) -> dict[str, Any]:
    """Return the proposal that a run made of the three lessons, in a home of this test."""
    shutil.copytree(home_of_a_proposal, environment["HARDWON_HOME"], symlinks=True)
    proposal: dict[str, Any]
    (proposal,) = answer("review", "list")
    return proposal


@pytest.fixture
def accepted(answer: Callable[..., Any], proposed: dict[str, Any]) -> dict[str, Any]:
    """Return what accepting the proposal of the three lessons printed."""
    taken: dict[str, Any] = answer("review", "accept", proposed["id"])
    return taken
