"""What tests of the readers share: files written from a text, and the measurement as a module."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hardwon.cli.reading.markdown import MarkdownReader
from hardwon.kernel.records import Problem, Skipped

Read = Callable[..., tuple[list[Mapping[str, Any]], list[Problem], list[Problem]]]


@pytest.fixture(scope="session")
def measurement() -> ModuleType:
    """Return the module that measures the recognition."""
    path = Path(__file__).with_name("measure_recognition.py")
    specification = importlib.util.spec_from_file_location("measure_recognition", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that reads a Markdown text as a file of some name: what is taken, skipped and failed."""

    def reading(
        text: str | bytes, name: str = "lessons.md"
    ) -> tuple[list[Mapping[str, Any]], list[Problem], list[Problem]]:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        told = list(MarkdownReader().read(path))
        taken = [each for each in told if isinstance(each, Mapping)]
        skipped: list[Problem] = [each for each in told if isinstance(each, Skipped)]
        failed = [each for each in told if isinstance(each, Problem) and not isinstance(each, Skipped)]
        return taken, skipped, failed

    return reading
