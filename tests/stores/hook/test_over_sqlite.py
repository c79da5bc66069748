"""The hook program reads the SQLite store's own file: what it says is what it says over files."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hardwon.kernel.memory import Strength

from .conftest import Place
from .test_recall import (  # noqa: F401 - they run here too
    test_a_rule_brings_its_lessons_from_whatever_project,
    test_chinese_is_found_and_spoken,
    test_it_answers_as_recall_does_everywhere_else,
    test_the_memory_that_supersedes_another_is_told_in_its_place,
)
from .test_same_as_recall import test_both_show_the_same_memories_for_the_same_reasons  # noqa: F401
from .test_session_start import (  # noqa: F401
    test_an_intention_is_told_when_it_is_due,
    test_hard_constraints_come_first_then_rules_that_this_project_taught,
    test_what_is_superseded_or_over_is_not_told,
)

PROMPT = "how do I retry the payment gateway?"


@pytest.fixture
def store() -> str:
    return "sqlite"


def file_of(place: Place) -> Path:
    return place.home.path / "memory.sqlite"


def test_what_was_just_written_is_told_while_others_write(place: Place) -> None:
    """Also what only the log holds yet; a writer that holds the lock is not waited for."""
    place.keep("The payment gateway answers a retry without a key twice.")
    with sqlite3.connect(file_of(place), isolation_level=None) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert "answers a retry without a key twice" in place.told(PROMPT)
        writer.execute("ROLLBACK")
    writer.close()


@pytest.mark.parametrize("content", [b"no database " * 500, b""])
def test_a_file_that_cannot_be_read_is_silence(place: Place, content: bytes) -> None:
    """And it is left as it is."""
    place.keep("The payment gateway answers a retry without a key twice.", strength=Strength.HARD)
    place.home.close()
    file_of(place).write_bytes(content)
    assert "payment gateway" not in place.told(PROMPT)
    assert file_of(place).read_bytes() == content
