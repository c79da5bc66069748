"""The house's SQL as PostgreSQL takes it."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from hardwon.kernel.errors import Unavailable
from hardwon.stores.postgres.statements import fit, numbered
from hardwon.stores.postgres.storage import PostgresStorage

from .conftest import OpenHome


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT ?, ?", b"SELECT $1, $2"),
        ("SELECT '?', ? || 'it''s ?'", b"SELECT '?', $1 || 'it''s ?'"),
        ("SELECT ?2, ?1, ?2", b"SELECT $2, $1, $2"),
        ("LIKE '%' || ?", b"LIKE '%' || $1"),
    ],
)
def test_marks_become_numbers(sql: str, expected: bytes) -> None:
    """Those in quoted texts stay."""
    assert numbered(sql) == expected


def test_what_no_text_of_the_server_may_hold_is_asked_for_in_vain() -> None:
    """A NUL or half a surrogate pair in what is asked for is no error."""
    assert fit(["a\0b", ["\ud800"], 1, None, "plain"]) == ["a\ufffdb", ["\ufffd"], 1, None, "plain"]


def test_without_the_driver_it_says_what_to_install(open_home: OpenHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with the extra."""
    load = builtins.__import__

    def refused(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("hardwon.stores.postgres.database"):
            raise ModuleNotFoundError("No module named 'psycopg'", name="psycopg")
        return load(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refused)
    with pytest.raises(Unavailable, match=r"pip install 'hardwon\[postgres\]'"):
        PostgresStorage(open_home())
