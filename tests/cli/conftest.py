"""What tests of the command line share."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

LESSONS: list[dict[str, Any]] = [
    {
        "id": "L-1",
        "project": "shop",
        "content": "The settings file was half written when the power failed.",
        "lesson": {"principle": "Write to a temporary file and rename it."},
        "valid_at": "2025-03-01",
    },
    {"id": "L-2", "project": "blog", "content": "设置文件写到一半断电，文件损坏。", "tags": ["文件"]},
    {
        "id": "L-3",
        "project": "maps",
        "content": "A kernel panic left an empty cache file.",
        "topics": ["storage.files"],
    },
]


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    """Return a file of three lessons of three projects."""
    path = tmp_path / "lessons.jsonl"
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in LESSONS), encoding="utf-8")
    return path


@pytest.fixture
def filled(answer: Callable[..., Any], lessons: Path) -> Path:
    """Take the lessons into the memory."""
    assert answer("import", lessons)["taken"] == 3
    return lessons


@pytest.fixture
def load_reference() -> ModuleType:
    """Return the module that writes the reference of commands."""
    path = Path(__file__).with_name("command_reference.py")
    specification = importlib.util.spec_from_file_location("command_reference", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
