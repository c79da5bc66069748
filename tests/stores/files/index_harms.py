"""What can befall an index: each of these does it to the one of a home."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from hardwon.stores.files.indexing.index_format import POINTER

from .conftest import index_of


def remove(home: Path) -> None:
    for path in home.glob("index-*"):
        path.unlink()


def name_in_pointer(home: Path, name: str) -> None:
    (home / POINTER).write_text(name, encoding="utf-8")


def remove_the_pointer(home: Path) -> None:
    (home / POINTER).unlink()


def remove_what_it_points_to(home: Path) -> None:
    for path in home.glob("index-*.sqlite*"):
        path.unlink()


def point_elsewhere(home: Path) -> None:
    name_in_pointer(home, "../index.sqlite")


def truncate(home: Path) -> None:
    path = index_of(home)
    sqlite3.connect(path).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribble(home: Path) -> None:
    index_of(home).write_bytes(b"this is no database at all" * 100)


def lose_the_log(home: Path) -> None:
    for path in home.glob("index-*.sqlite-*"):
        path.unlink()


def age(home: Path) -> None:
    with sqlite3.connect(index_of(home)) as connection:
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    connection.close()


def put_a_folder_there(home: Path) -> None:
    path = index_of(home)
    remove(home)
    name_in_pointer(home, path.name)
    path.mkdir()
    (path / "file").touch()


def link_nowhere(home: Path) -> None:
    path = index_of(home)
    remove(home)
    name_in_pointer(home, path.name)
    path.symlink_to(home / "nowhere" / "index.sqlite")


def spoil_names(home: Path) -> None:
    """Leave names of tables that are in no encoding, as after a bad block."""
    path = index_of(home)
    sqlite3.connect(path).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    path.write_bytes(path.read_bytes().replace(b"memories", b"mem\xff\xfeies"))


def spoil_rows(home: Path) -> None:
    with sqlite3.connect(index_of(home)) as connection:
        connection.execute("UPDATE memories SET entry = substr(entry, 1, 20)")
    connection.close()


def spoil_paths(home: Path) -> None:
    with sqlite3.connect(index_of(home)) as connection:
        connection.execute("UPDATE files SET path = CAST(x'ff' || path AS TEXT)")
    connection.close()


def take_the_side_files_away(home: Path) -> None:
    """Leave side files that cannot be written, as root's would be."""
    lose_the_log(home)
    Path(f"{index_of(home)}-shm").mkdir()


def lose_the_search_tables(home: Path) -> None:
    """Leave the search's own tables without those that they stand on."""
    with sqlite3.connect(index_of(home)) as connection:
        tables = (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'search_%' AND sql NOT LIKE '%VIRTUAL%'"
        )
        names = [name for (name,) in connection.execute(tables)]
        connection.execute("PRAGMA writable_schema = ON")
        connection.executemany("DELETE FROM sqlite_master WHERE name = ?", [(name,) for name in names])
    connection.close()


def blank_search_rows(column: str, value: str) -> Callable[[Path], None]:
    """Leave rows of the search tables as a bad block would: with something where a text must be."""

    def harm(home: Path) -> None:
        with sqlite3.connect(index_of(home)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            sql = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = 'search_documents'"
            connection.execute(sql, (f"{column} TEXT NOT NULL", f"{column} TEXT"))
        connection.close()
        with sqlite3.connect(index_of(home)) as connection:
            connection.execute(f"UPDATE search_documents SET {column} = {value}")
        connection.close()

    return harm


HARMS = (
    remove, truncate, scribble, lose_the_log, age, put_a_folder_there, link_nowhere, spoil_names, spoil_rows,
    spoil_paths, lose_the_search_tables, take_the_side_files_away, blank_search_rows("terms", "NULL"),
    remove_the_pointer, remove_what_it_points_to, point_elsewhere,
)  # fmt: skip
