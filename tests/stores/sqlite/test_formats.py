"""The format of the file: a newer one is refused untouched, an older one is copied and then changed as a whole."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

from hardwon.kernel.errors import NewerFormat, StoreError
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.stores.sql.format import FORMAT_VERSION
from hardwon.stores.sql.schema import statements
from hardwon.stores.sqlite import creating
from hardwon.testing.examples import complete_memory, memory

from .conftest import Open

NEXT = FORMAT_VERSION + 1


def value_of(file: Path, sql: str) -> object:
    """Return one value that another program reads of the file."""
    connection = sqlite3.connect(file)
    (value,) = connection.execute(sql).fetchone()
    connection.close()
    return value


def set_format(file: Path, format: str) -> None:
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'format'", (format,))
    connection.close()


def fill(open_store: Open) -> MemoryEntry:
    """Keep a memory, and close the store."""
    storage = open_store()
    [entry] = storage.memories.put([complete_memory()])
    storage.close()
    return entry


def test_a_newer_format_is_refused_untouched(open_store: Open, file: Path) -> None:
    """Byte by byte, with nothing left beside it."""
    fill(open_store)
    set_format(file, str(NEXT))
    before, beside = file.read_bytes(), sorted(file.parent.iterdir())
    with pytest.raises(NewerFormat, match="nothing was touched"):
        open_store()
    assert (file.read_bytes(), sorted(file.parent.iterdir())) == (before, beside)


def test_a_format_that_is_no_number_is_refused(open_store: Open, file: Path) -> None:
    """It is not taken for an old one."""
    fill(open_store)
    set_format(file, "x")
    with pytest.raises(StoreError):
        open_store()


@pytest.fixture
def next_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program know one more format, which has one more table."""

    def migrate(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE fresh (number INTEGER)")
        connection.execute("INSERT INTO fresh SELECT count(*) FROM memories")

    monkeypatch.setattr(creating, "FORMAT_VERSION", NEXT)
    monkeypatch.setattr(creating, "MIGRATIONS", {FORMAT_VERSION: migrate})


def test_an_older_format_is_copied_and_changed(open_store: Open, file: Path, request: pytest.FixtureRequest) -> None:
    """The copy is what was, for its owner alone; a second opening finds nothing to change."""
    entry = fill(open_store)
    request.getfixturevalue("next_format")
    storage = open_store()
    assert list(storage.memories.scan(Filter())) == [entry]
    assert value_of(file, "SELECT value FROM meta WHERE key = 'format'") == str(NEXT)
    assert value_of(file, "SELECT number FROM fresh") == 1
    backup = file.with_name(f"{file.name}.before-format-{NEXT}")
    assert value_of(backup, "SELECT value FROM meta WHERE key = 'format'") == str(FORMAT_VERSION)
    assert value_of(backup, "SELECT count(*) FROM memories") == 1
    assert backup.stat().st_mode & 0o777 == 0o600
    backup.unlink()
    open_store()
    assert not backup.exists()


def test_a_migration_that_fails_changes_nothing(open_store: Open, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old program goes on with the file as it was."""
    fill(open_store)

    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TABLE topics")
        connection.execute("ALTER TABLE none ADD COLUMN x")

    with monkeypatch.context() as patched:
        patched.setattr(creating, "FORMAT_VERSION", NEXT)
        patched.setattr(creating, "MIGRATIONS", {FORMAT_VERSION: fails})
        with pytest.raises(StoreError, match="none"):
            open_store()
    storage = open_store()
    storage.memories.put([memory("Goes on.", topics=("versions",))])
    assert {each.topic: each.count for each in storage.memories.topics()} == {"delivery.ci.runners": 1, "versions": 2}
    assert storage.verify() == []


def test_two_openings_migrate_once(open_store: Open, file: Path, next_format: None) -> None:
    """Whoever comes second finds the work done, under the writers' lock."""
    fill(open_store)
    open_store()
    assert value_of(file, "SELECT count(*) FROM sqlite_master WHERE name = 'fresh'") in (0, 1)


def test_an_unfinished_creation_is_finished(open_store: Open, file: Path) -> None:
    """A process that was killed before it had made the tables leaves an empty file."""
    file.touch(mode=0o600)
    storage = open_store()
    storage.memories.put([complete_memory()])
    assert storage.verify() == []


def test_the_statements_of_the_doors_name_the_columns_of_the_tables() -> None:
    """Each column of a table is written by its door, and no other."""
    from hardwon.stores.sql import edges, history, journal_rows, proposals, rows
    from hardwon.stores.sql.tables import Table

    tables = Table.metadata.tables
    for name, columns in {
        "memories": rows.COLUMNS,
        "relations": edges.COLUMNS,
        "versions": history.COLUMNS,
        "journal": journal_rows.COLUMNS,
        "proposals": proposals.COLUMNS,
    }.items():
        assert {column.name for column in tables[name].columns} == set(columns)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_table_is_made_for_both_databases(kind: Literal["sqlite", "postgresql"]) -> None:
    """With its indexes, from the same classes."""
    from hardwon.stores.sql.tables import Table

    made = statements(kind)
    tables = Table.metadata.tables.values()
    assert len(made) == len(tables) + sum(len(table.indexes) for table in tables)


def test_sqlalchemy_is_imported_to_make_a_file_alone(open_store: Open, home_path: Path) -> None:
    """Not to read or write one: it takes half a second."""
    fill(open_store)
    program = (
        "import sys; from pathlib import Path; from hardwon.kernel.home import Home; "
        "from hardwon.kernel.query import Filter, Query; from hardwon.testing.examples import memory; "
        "storage = Home(Path(sys.argv[1])).storage; [entry] = storage.memories.put([memory('x')]); "
        "storage.memories.update(entry.id, {'content': 'y'}); storage.memories.search(Query(text='y')); "
        "list(storage.memories.scan(Filter())); storage.documents.write('a.md', 'x'); storage.close(); "
        "assert not {'sqlalchemy', 'sqlmodel'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(home_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_forgetting_names_the_copies_in_which_the_words_may_still_stand(open_store: Open, home_path: Path) -> None:
    """A copy of before an upgrade, or a damaged file, may hold what is nowhere else: a person removes it."""
    from hardwon.cli.actions.writing import forget
    from hardwon.kernel.home import Home

    first, second = open_store().memories.put([memory("First."), memory("Second.")])
    home = Home(home_path)
    said = forget(home, first.id, yes=True)
    assert ("memory.sqlite." in said.text, said.data["copies"]) == (False, [])
    names = (f"memory.sqlite.before-format-{FORMAT_VERSION}", "memory.sqlite.damaged-20261130T120000")
    for name in names:
        (home_path / name).write_bytes(b"Second.")
    said = forget(home, second.id, yes=True)
    assert said.data["copies"] == [str(home_path / name) for name in names]
    assert all(each in said.text for each in said.data["copies"])
    assert all((home_path / name).exists() for name in names)
    home.close()
