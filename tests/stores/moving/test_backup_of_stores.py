"""Backups of the stores of the box: whole, of one moment while others write, and the same memory when brought back."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.settings import PostgresSettings
from hardwon.kernel.use_cases.moving.backing_up import back_up
from hardwon.kernel.use_cases.moving.bringing_back import bring_back, check_backup
from hardwon.kernel.use_cases.moving.migrating import migrate
from hardwon.testing.examples import MOMENT, memory

from .conftest import everything


@pytest.fixture(params=["files", "sqlite"])
def home_path(request: pytest.FixtureRequest, files_home: Path) -> Path:
    """Return a home with one of everything in a store."""
    if request.param != "files":
        with Home(files_home) as home:
            migrate(home, request.param)
    return files_home


def test_the_same_memory_comes_back(home_path: Path, tmp_path: Path) -> None:
    """With a person's note that was not yet taken in, and without a problem."""
    before = everything(home_path)
    with Home(home_path) as home:
        backup = back_up(home, tmp_path / "memory.backup").path
        assert check_backup(home, backup).problems == ()
    with Home(tmp_path / "back") as home:
        assert bring_back(home, backup).problems == ()
    assert everything(tmp_path / "back") == before


def test_a_file_that_no_commit_holds_is_in_the_backup(files_home: Path, tmp_path: Path) -> None:
    """It was left alone because it cannot be read; so it is byte for byte."""
    broken = files_home / "memory" / "digest" / "shop" / "broken.md"
    broken.write_bytes(b"---\nid: [\xff\n---\nx\n")
    with Home(files_home) as home:
        backup = back_up(home, tmp_path / "memory.backup").path
    with Home(tmp_path / "back") as home:
        assert [problem.where for problem in bring_back(home, backup).problems] == ["memory/digest/shop/broken.md:2"]
    back = tmp_path / "back" / "memory" / "digest" / "shop" / "broken.md"
    assert back.read_bytes() == broken.read_bytes()


def test_a_backup_is_of_one_moment_while_others_write(home_path: Path, tmp_path: Path) -> None:
    """Two memories and the edge between them are written together: never is one of them in it without the others."""
    stop = threading.Event()
    pairs: list[tuple[str, str]] = []

    def write() -> None:
        with Home(home_path) as home:
            while not stop.is_set():
                one, two = memory("one"), memory("two")
                with home.storage.operation("A pair"):
                    home.storage.memories.put([one])
                    home.storage.memories.put([two])
                    edge = Relation(source=one.id, kind=RelationKind.RELATES_TO, target=two.id, asserted_at=MOMENT)
                    home.storage.memories.relate([edge])
                pairs.append((one.id, two.id))
                stop.wait(0.02)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        while len(pairs) < 3:
            stop.wait(0.01)
        with Home(home_path) as home:
            known = list(pairs)
            backup = back_up(home, tmp_path / "memory.backup").path
    finally:
        stop.set()
        thread.join(30)
    with Home(tmp_path / "back") as home:
        assert bring_back(home, backup).problems == ()
        entries = [
            entry for entry in home.storage.memories.scan(Filter(statuses=None)) if entry.content in ("one", "two")
        ]
        edges = [edge for edge in home.storage.memories.edges() if edge.note is None and edge.weight == 1.0]
        ends = {end for edge in edges for end in (edge.source, edge.target)}
    assert {entry.id for entry in entries} <= ends
    assert {id for pair in known for id in pair} <= {entry.id for entry in entries}
    assert len(entries) % 2 == 0


def test_a_memory_on_a_server_comes_back_into_an_empty_schema(
    files_home: Path, tmp_path: Path, new_postgres: PostgresSettings
) -> None:
    """Never mixed with another one: where the schema holds a memory, nothing is put in place."""
    import psycopg

    schema = f'[postgres]\nschema_name = "{new_postgres.schema_name}"\n'
    with (files_home / "config.toml").open("a", encoding="utf-8") as file:
        file.write(schema)
    with Home(files_home) as home:
        migrate(home, "postgres", new_postgres.url)
    before = everything(files_home)
    with Home(files_home) as home:
        backup = back_up(home, tmp_path / "memory.backup").path
        assert check_backup(home, backup).counts["memory"] == 7
    with Home(tmp_path / "back") as home, pytest.raises(Conflict, match="holds a memory"):
        bring_back(home, backup)
    with psycopg.connect(new_postgres.url, autocommit=True) as connection:
        connection.execute(f'DROP SCHEMA "{new_postgres.schema_name}" CASCADE')
    with Home(tmp_path / "back") as home:
        assert bring_back(home, backup).problems == ()
    assert everything(tmp_path / "back") == before
