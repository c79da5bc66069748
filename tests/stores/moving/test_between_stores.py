"""The memory from store to store and round again: equal in its archive, whatever keeps it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, StoreBusy
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.records import Problem
from hardwon.kernel.settings import PostgresSettings
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.migrating import migrate
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.testing.examples import memory

from .conftest import everything


def moved(path: Path, to: str, address: str = "", *, afresh: bool = False) -> None:
    """Move a home's memory in a process that opens it anew."""
    with Home(path) as home:
        result = migrate(home, to, address, afresh=afresh)
        assert all(part.is_equal for part in result.parts)
        assert result.problems == ()


def test_files_to_sqlite_and_back(files_home: Path) -> None:
    """Equal in export, and what lay in the files' place is set aside."""
    before = everything(files_home)
    moved(files_home, "sqlite")
    assert everything(files_home) == before
    with Home(files_home) as home, pytest.raises(Conflict, match="--afresh"):
        migrate(home, "files")
    moved(files_home, "files", afresh=True)
    assert everything(files_home) == before
    with Home(files_home) as home:
        assert home.storage.problems() == []
    (aside,) = (files_home / "aside").iterdir()
    assert (aside / "memory" / ".git").is_dir()


def test_files_to_sqlite_to_postgres_to_files(files_home: Path, new_postgres: PostgresSettings) -> None:
    """The whole way round, over a real server."""
    config = files_home / "config.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(f'{text}\n[postgres]  # ours\nschema_name = "{new_postgres.schema_name}"\n', encoding="utf-8")
    before = everything(files_home)
    moved(files_home, "sqlite")
    moved(files_home, "postgres", new_postgres.url)
    assert everything(files_home) == before
    moved(files_home, "files", afresh=True)
    assert everything(files_home) == before
    assert "[postgres]  # ours\n" in config.read_text(encoding="utf-8")


def test_what_cannot_be_read_is_told_and_stays(files_home: Path) -> None:
    """A broken memory, a broken proposal, a picture: export and migration say so, and nothing else is stopped."""
    memory_folder = files_home / "memory"
    (memory_folder / "digest" / "shop" / "broken.md").write_bytes(b"---\nid: [\n---\nx\n")
    (memory_folder / "review-queue" / "broken.md").write_text("no record\n", encoding="utf-8")
    (memory_folder / "picture.png").write_bytes(b"\x89PNG\r\n\xff\xfe")
    with Home(files_home) as home:
        problems: list[Problem] = []
        before = list(archive_lines(home, problems))
        assert sum("broken" in problem.where for problem in problems) == 2
        result = migrate(home, "sqlite")
    assert all(part.is_equal for part in result.parts)
    assert {problem.where for problem in result.problems} == {problem.where for problem in problems}
    with Home(files_home) as home:
        assert list(archive_lines(home, [])) == before
    assert (memory_folder / "picture.png").exists()


def test_documents_are_what_no_other_door_keeps(files_home: Path) -> None:
    """Neither memories, days and decisions, nor what is generated."""
    with Home(files_home) as home:
        names = home.storage.documents.names("")
    assert [name for name in names if not name.startswith("review-queue/")] == [
        "forgotten.jsonl",
        "notes/of-mine.md",
        "projects.toml",
    ]


@pytest.mark.parametrize("store", ["files", "sqlite"])
def test_an_archive_imported_into_any_store_is_equal(files_home: Path, tmp_path: Path, store: str) -> None:
    """And importing it again changes nothing."""
    archive = tmp_path / "archive.jsonl"
    before = everything(files_home)
    archive.write_text("".join(f"{line}\n" for line in before), encoding="utf-8")
    other = tmp_path / "other"
    with Home(other) as home:
        home.create()
        (other / "config.toml").write_text(f'store = "{store}"\nembedder = "none"\n', encoding="utf-8")
        assert restore(home, archive).failed == []
        assert restore(home, archive).taken == 0
    # What this machine did for itself is no part of an archive.
    assert [line for line in everything(other) if '"type":"end"' not in line] == [
        line for line in before if '"type":"end"' not in line
    ]


def test_what_others_write_while_the_memory_moves_is_never_lost(files_home: Path) -> None:
    """Two writers go on all the while: what was acknowledged is in the new store, the rest is told to be repeated."""
    stop = threading.Event()
    acknowledged: list[MemoryEntry] = []
    refused: list[str] = []

    def write() -> None:
        with Home(files_home) as home:
            while not stop.is_set():
                entry = memory("from another writer")
                try:
                    home.storage.memories.put([entry])
                except Conflict as error:
                    refused.append(str(error))
                    return
                except StoreBusy:
                    continue
                acknowledged.append(entry)
                stop.wait(0.02)

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        while len(acknowledged) < 6:
            stop.wait(0.01)
        moved(files_home, "sqlite")
        for thread in threads:
            thread.join(30)
    finally:
        stop.set()
    assert len(refused) == 2
    assert all("has moved from files to sqlite" in sentence for sentence in refused)
    with Home(files_home) as home:
        kept = home.storage.memories.get([entry.id for entry in acknowledged])
        assert kept == {entry.id: entry for entry in acknowledged}
