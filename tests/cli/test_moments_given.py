"""A moment that is given is one: an empty one is refused with a sentence, and not taken for none."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    "command",
    [
        ("recall", "saving", "--as-of"),
        ("recall", "saving", "--known-at"),
        ("get", "storage", "--as-of"),
        ("get", "storage", "--known-at"),
        ("show", "L-1", "--as-of"),
        ("show", "L-1", "--known-at"),
        ("links", "L-1", "--as-of"),
        ("links", "L-1", "--known-at"),
        ("log", "--since"),
    ],
    ids=" ".join,
)
def test_what_is_no_moment_is_refused(program: Any, answer: Any, command: tuple[str, ...]) -> None:
    answer("init")
    done = program(*command, "")
    assert done.returncode == 1
    assert "is no date; write it as" in done.stderr
    assert done.stdout == ""
