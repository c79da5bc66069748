"""What mounted folders say, the hook program shows beside the memory, as they stand now, by itself and in time."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hardwon.kernel.mounts import Mount, save_mounts
from hardwon.kernel.use_cases.capture_process import serve

from .conftest import BLOG, SHOP, Place

PROMPT = "the payment gateway times out, how do I retry?"
NOTE = "# Payments\n\nWhen the payment gateway times out, retry with the same idempotency key.\n"
LONG_AGO = 1_700_000_000


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = (tmp_path / "notes").resolve()
    folder.mkdir()
    write(folder / "pay.md", NOTE)
    return folder


def write(path: Path, text: str, at: float = LONG_AGO) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at, at))


def mount(place: Place, folder: Path, *projects: str) -> None:
    """Mount a folder and let the background worker read it."""
    save_mounts(place.home.path, [Mount(str(folder), projects)])
    serve(place.home)


def test_a_mounted_note_is_told_beside_what_is_remembered(place: Place, notes: Path) -> None:
    mount(place, notes)
    place.keep("The payment gateway answers a retry without a key twice.")
    told = place.told(PROMPT)
    assert "answers a retry without a key twice" in told
    assert "pay.md › Payments" in told
    assert "same idempotency key" in told
    assert told.index("answers a retry") < told.index("pay.md")


def test_what_was_shown_in_a_session_is_not_shown_again(place: Place, notes: Path) -> None:
    mount(place, notes)
    assert "same idempotency key" in place.told(PROMPT)
    assert "same idempotency key" not in place.told(PROMPT)
    assert "same idempotency key" in place.told(PROMPT, session="s2")


def test_a_folder_is_told_where_the_user_allowed_it(place: Place, notes: Path) -> None:
    for number, (projects, is_told) in enumerate([((), True), ((SHOP,), True), ((BLOG,), False)]):
        mount(place, notes, *projects)
        assert ("same idempotency key" in place.told(PROMPT, session=f"s{number}")) is is_told


def test_an_edited_or_deleted_note_is_silent_until_it_is_read_again(place: Place, notes: Path) -> None:
    """The text that was is never shown as the text that is."""
    mount(place, notes)
    write(notes / "pay.md", NOTE.replace("the same", "some new"), LONG_AGO + 5)
    assert place.told(PROMPT) == ""
    serve(place.home)
    assert "some new idempotency key" in place.told(PROMPT)
    (notes / "pay.md").unlink()
    assert place.told(PROMPT, session="s2") == ""


def test_a_folder_that_is_away_leaves_the_memory_as_it_is(place: Place, notes: Path, tmp_path: Path) -> None:
    mount(place, notes)
    place.keep("The payment gateway answers a retry without a key twice.")
    notes.rename(tmp_path / "away")
    told = place.told(PROMPT)
    assert "answers a retry without a key twice" in told
    assert "pay.md" not in told


def test_what_is_damaged_is_silent_and_the_memory_is_told(place: Place, notes: Path) -> None:
    mount(place, notes)
    place.keep("The payment gateway answers a retry without a key twice.")
    [index] = (place.home.path / "mounts").glob("*.sqlite")
    for number, path in enumerate((index, place.home.path / "mounts.json")):
        path.write_bytes(b"spoiled " * 1000)
        Path(f"{path}-wal").unlink(missing_ok=True)
        told = place.told(PROMPT, session=f"s{number}")
        assert "answers a retry without a key twice" in told
        assert "pay.md" not in told


def test_a_passage_that_goes_between_two_looks_is_silent_and_the_memory_is_told(place: Place, notes: Path) -> None:
    """The background worker reads its note anew just then."""
    mount(place, notes)
    place.keep("The payment gateway answers a retry without a key twice.")
    [index] = (place.home.path / "mounts").glob("*.sqlite")
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute("DELETE FROM passages")
    told = place.told(PROMPT)
    assert "answers a retry without a key twice" in told
    assert "pay.md" not in told
