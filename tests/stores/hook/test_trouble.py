"""What the hook program cannot read is silence, at once, and left as it is; the worker is called to see to it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.hook_program import write_hook
from hardwon.stores.files.indexing.generations import current_path

from .conftest import Place
from .test_recall import POOL, QUESTION

Break = Callable[[Path], None]


def remove(index: Path) -> None:
    for path in index.parent.glob(f"{index.name}*"):
        path.unlink()


def truncate(index: Path) -> None:
    remove(index)
    index.write_bytes(b"")


def scribble(index: Path) -> None:
    remove(index)
    index.write_bytes(b"SQLite format 3\0" + os.urandom(20_000))


def no_database(index: Path) -> None:
    remove(index)
    index.write_text("hello", encoding="utf-8")


def a_folder(index: Path) -> None:
    remove(index)
    index.mkdir()


def other_format(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("UPDATE meta SET value = '999'")
    connection.close()


def no_search_tables(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("DROP TABLE search_documents")
    connection.close()


def no_texts(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("UPDATE search_documents SET terms = x'ff'")
        connection.execute("UPDATE memories SET content = x'ff00ff'")
    connection.close()


BREAKS: list[Break] = [remove, truncate, scribble, no_database, a_folder, other_format, no_search_tables, no_texts]


def index_of(place: Place) -> Path:
    path = current_path(place.home.path)
    assert path is not None
    return path


def calls_worker(place: Place, tmp_path: Path) -> Path:
    """Let the worker leave a file when it is started; return that."""
    seen = tmp_path / "worker-was-here"
    place.wired.write_data(worker=["/bin/sh", "-c", f": > '{seen}'"])
    return seen


def comes(path: Path) -> bool:
    until = time.monotonic() + 20
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return path.exists()


@pytest.mark.parametrize("damage", BREAKS)
def test_an_index_that_cannot_be_read_is_silence_and_calls_the_worker(
    place: Place, tmp_path: Path, damage: Break
) -> None:
    place.keep(POOL)
    place.home.close()
    index = index_of(place)
    damage(index)
    before = index.read_bytes() if index.is_file() else None
    seen = calls_worker(place, tmp_path)
    payload = place.wired.event("Prompt", prompt=QUESTION)
    assert place.wired.said(payload, HARDWON_NO_BACKGROUND="") == ""
    assert comes(seen)
    assert (index.read_bytes() if index.is_file() else None) == before
    assert "search: memory_search" in place.at_start()


def test_another_process_that_writes_is_not_waited_for(place: Place) -> None:
    """Readers of a write-ahead log see what was committed; where that is not possible there is silence, at once."""
    place.keep(POOL)
    connection = sqlite3.connect(index_of(place), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE memories SET importance = 1")
    assert POOL in place.told(QUESTION)
    connection.execute("ROLLBACK")
    connection.close()
    place.home.close()
    connection = sqlite3.connect(index_of(place), isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("BEGIN EXCLUSIVE")
    assert place.told(QUESTION, session="s2") == ""
    connection.close()


def test_a_held_writers_lock_changes_nothing(place: Place) -> None:
    import fcntl

    place.keep(POOL)
    with (place.home.path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert POOL in place.told(QUESTION)


@pytest.mark.parametrize("change", ["edited", "removed", "moved"])
def test_a_memory_that_changed_on_disk_is_not_told_before_it_is_taken_in(
    place: Place, tmp_path: Path, change: str
) -> None:
    """An edit by hand holds from the next prompt on, however old the index is."""
    place.keep(POOL)
    [path] = (place.home.path / "memory" / "digest").rglob("*.md")
    if change == "edited":
        path.write_text(path.read_text(encoding="utf-8").replace("raise", "never raise"), encoding="utf-8")
    elif change == "removed":
        path.unlink()
    else:
        path.rename(path.with_name("another-name.md"))
    seen = calls_worker(place, tmp_path)
    payload = place.wired.event("Prompt", prompt=QUESTION)
    assert place.wired.said(payload, HARDWON_NO_BACKGROUND="") == ""
    assert comes(seen)
    with Home(place.home.path) as home:  # what the worker does
        home.storage.memories.get([])
    told = place.told(QUESTION)
    assert {"edited": "never raise" in told, "removed": told == "", "moved": POOL in told}[change]


def test_an_edit_that_no_stat_shows_is_not_told(place: Place) -> None:
    """As one within the tick of the clock in which the memory was written."""
    place.keep(POOL)
    [path] = (place.home.path / "memory" / "digest").rglob("*.md")
    before = path.stat()
    with path.open("r+b") as file:
        text = file.read()
        file.seek(0)
        file.write(text.replace(b"raise", b"lower"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert place.told(QUESTION) == ""
    with Home(place.home.path) as home:
        home.storage.memories.get([])
    assert "lower" in place.told(QUESTION)


def test_settings_and_names_that_were_edited_are_taken_over_by_the_worker(place: Place) -> None:
    from hardwon.kernel.use_cases.hook_program import refresh_hook

    assert not refresh_hook(place.home)
    (place.home.path / "config.toml").write_text('embedder = "none"\n[recall]\nlimit = 3\n', encoding="utf-8")
    with Home(place.home.path) as home:
        assert refresh_hook(home)
        assert not refresh_hook(home)


def test_writing_the_hook_again_changes_nothing(place: Place) -> None:
    write_hook(place.home)
    before = {path: path.read_bytes() for path in (place.home.path / "hook").iterdir() if path.is_file()}
    assert write_hook(place.home) == []
    assert {path: path.read_bytes() for path in before} == before


def test_a_home_that_may_not_be_written_to_is_read(place: Place) -> None:
    """Nothing is kept, and nobody is disturbed by that."""
    place.keep(POOL)
    place.home.close()
    folders = [place.home.path, place.home.path / "hook"]
    for folder in folders:
        folder.chmod(0o500)
    command = place.wired.command
    if os.geteuid() == 0:  # who may do everything has to give that up first
        if shutil.which("setpriv") is None:
            pytest.skip("root without setpriv can write everywhere")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    payload = place.wired.event("Prompt", prompt=QUESTION)
    result = subprocess.run(command, input=payload, capture_output=True, check=False, timeout=30)
    for folder in folders:
        folder.chmod(0o700)
    assert (result.returncode, result.stderr) == (0, b"")
    assert POOL.encode() in result.stdout
    assert not (place.home.path / "spool").exists()
    assert not list(place.home.path.glob("index-*.sqlite-*"))


def test_a_prompt_imports_nothing_slow(place: Place) -> None:
    place.keep(POOL)
    command = [place.wired.command[0], "-X", "importtime", *place.wired.command[1:]]
    payload = place.wired.event("Prompt", prompt=QUESTION)
    result = subprocess.run(command, input=payload, capture_output=True, check=True, timeout=30)
    assert POOL.encode() in result.stdout
    names = {line.rpartition("|")[2].strip() for line in result.stderr.decode().splitlines()}
    assert "hardwon.stores.search.lookup" in names
    assert names & {"json", "re", "enum", "pathlib", "dataclasses", "typing", "socket", "pydantic", "numpy"} == set()


def test_nobodys_installation_is_needed(place: Place, tmp_path: Path) -> None:
    """The program and its data alone, in a home that was moved."""
    place.keep(POOL)
    place.home.close()
    moved = tmp_path / "moved home"
    shutil.move(place.home.path, moved)
    place.wired.home = moved
    place.home.path = moved
    assert place.at_start()
