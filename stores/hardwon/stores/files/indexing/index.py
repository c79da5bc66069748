"""The open index: its connection, its format, and what happens when it is damaged or was replaced.

A damaged index is set aside under a dated name and built again from the files; nobody loses anything by it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from hardwon.stores.files.indexing.generations import (
    ENDINGS,
    current_path,
    next_path,
    remove_index,
    remove_unused,
    switch_to,
)
from hardwon.stores.files.indexing.index_format import FORMAT_KEY, FORMAT_VERSION, POINTER
from hardwon.stores.files.indexing.schema import INDEXES, TABLES, TRIGGERS, connect, create, index_error, is_damage
from hardwon.stores.files.indexing.stand_in import copy_in_memory
from hardwon.stores.search.index import SearchIndex

HEAD = "head"
"""The key under which the index remembers the last commit that it knows."""


Identity = tuple[int, ...]


class Index:
    """The index of a home, used by one thread at a time through `guard`."""

    def __init__(
        self, home: Path, make_search: Callable[[sqlite3.Connection], SearchIndex], being_built: Path | None = None
    ) -> None:
        """Use the index that the home's pointer names; or `being_built`, which it does not name yet."""
        self._home = home
        self._pointer = str(home / POINTER)
        self.guard = threading.RLock()
        self._make_search = make_search
        self._being_built = being_built
        self._pointed: tuple[Identity, Path | None] | None = None
        self._connection: sqlite3.Connection | None = None
        self._opened: Identity | None = None
        self._search: SearchIndex | None = None
        self.stands_in_because: str | None = None
        """Why a copy in memory stands in for the index, which cannot be used; None while it does not."""

    @property
    def path(self) -> Path:
        """Return the path of the index; where there is none, the one that it will have."""
        return self._being_built or self._current() or next_path(self._home)

    def stand_in(self, why: str) -> bool:
        """Answer from a copy in memory that nobody else sees, until `close`; return whether that is something new."""
        with self.guard:
            if self.stands_in_because is not None:
                return False
            self.close()
            self.stands_in_because = why
            return True

    @property
    def connection(self) -> sqlite3.Connection:
        """Return the open connection; a new one where another index is in use by now.

        Raises sqlite3.DatabaseError when there is none or it is damaged, StoreBusy, StoreError.
        """
        if self._connection is not None and not self._connection.in_transaction and self._was_replaced():
            self.close()
        if self._connection is None:
            self._connection, self._opened = self._open()
            self._search = self._make_search(self._connection)
        return self._connection

    def _open(self) -> tuple[sqlite3.Connection, Identity | None]:
        if self.stands_in_because is not None:
            return copy_in_memory(self.path), None
        if self._being_built is not None:
            return create(self._being_built), None
        while True:
            before, path = self.identity, self._current()
            if path is None:
                raise sqlite3.DatabaseError("there is none")
            try:
                connection = connect(path)
            except sqlite3.DatabaseError:
                if self.identity == before:
                    raise
                continue  # it went, because another one is in use by now
            if self.identity == before:
                return connection, before
            connection.close()

    @property
    def search(self) -> SearchIndex:
        """Return the search tables of the open connection."""
        assert self.connection
        assert self._search is not None
        return self._search

    def _current(self) -> Path | None:
        """Return the path that the pointer names; its file is read again only where it was written anew."""
        try:
            found = os.stat(self._pointer)  # noqa: PTH116 - asked before every statement
        except OSError:
            return None
        written = (found.st_ino, found.st_mtime_ns)
        if self._pointed is None or self._pointed[0] != written:
            self._pointed = written, current_path(self._home)
        return self._pointed[1]

    @property
    def identity(self) -> Identity | None:
        """Return what tells one index from another that is used in its place; None while there is none."""
        path = self._current()
        try:
            return None if path is None or self._pointed is None else (*self._pointed[0], os.stat(path).st_ino)  # noqa: PTH116
        except OSError:
            return None

    def _was_replaced(self) -> bool:
        if self.stands_in_because is not None or self._being_built is not None:
            return False
        found = self.identity
        return found is None or found != self._opened

    @contextmanager
    def built_anew(self) -> Iterator[Index]:
        """Build another index, which is used in place of this one once the block ends well.

        The caller holds the writers' lock. Who reads this one goes on with it. Raises StoreError.
        """
        if self.stands_in_because is not None:
            with self.guard, self.transaction():
                yield self
            return
        path = next_path(self._home)
        other = Index(self._home, self._make_search, path)
        try:
            with other.transaction():
                yield other
            other.close()
            switch_to(path)
        except BaseException:
            other.close()
            remove_index(path)
            raise
        self.close()
        remove_unused(self._home)

    def _is_locked_out(self) -> bool:
        """Tell whether a file of the index is another's, such as root's, in a folder of ours: a new one may be made."""
        files = [Path(f"{self.path}{ending}") for ending in ENDINGS]
        others = [
            file for file in files if file.exists() and not (file.is_file() and os.access(file, os.R_OK | os.W_OK))
        ]
        return bool(others) and os.access(self.path.parent, os.W_OK)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Return all rows of a query. Raises StoreBusy, StoreError; sqlite3.DatabaseError when the index is damaged."""
        with self.guard, self.errors():
            return self.connection.execute(sql, values).fetchall()

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Run one statement."""
        with self.guard, self.errors():
            self.connection.execute(sql, values)

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of values."""
        with self.guard, self.errors():
            self.connection.executemany(sql, rows)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn what SQLite says of other processes into StoreBusy; damage passes as it is, to be healed above."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if is_damage(error) or self._is_locked_out():
                raise sqlite3.DatabaseError(str(error)) from None
            raise index_error(error, self.path) from None
        except UnicodeDecodeError as error:  # what was a name or a text before
            raise sqlite3.DatabaseError(str(error)) from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make what is written inside one change: all or none; inside another one, a part of it that can fail alone."""
        with self.guard:
            connection = self.connection
            nested = connection.in_transaction
            begin, end, undo = _NESTED if nested else _OUTER
            with self.errors():
                connection.execute(begin)
            try:
                yield
                with self.errors():
                    connection.execute(end)
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    for statement in undo:
                        connection.execute(statement)
                raise

    @property
    def state(self) -> tuple[int, int]:
        """Return what changes whenever this or another process writes to the index."""
        with self.guard:
            return self.rows("PRAGMA data_version")[0][0], self.connection.total_changes

    @property
    def is_ready(self) -> bool:
        """Tell whether the tables are there, in the format that this program knows."""
        if self.stands_in_because is None and self._being_built is None and self._current() is None:
            return False
        tables = self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'")
        return bool(tables) and self.meta(FORMAT_KEY) == str(FORMAT_VERSION)

    def make_tables(self) -> None:
        """Make all tables anew and empty, inside the caller's transaction."""
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        # Virtual tables first: they take their shadow tables with them, which cannot be dropped alone.
        for row in self.rows(f"{tables} ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'"):
            self.run(f'DROP TABLE IF EXISTS "{row["name"]}"')
        for statement in (*TABLES.split(";\n"), *TRIGGERS):
            if statement.strip():
                self.run(statement)
        with self.errors():
            self.search.create()
        self.set_meta(FORMAT_KEY, str(FORMAT_VERSION))

    def make_indexes(self) -> None:
        """Make what finds rows quickly, once the new tables are filled."""
        for statement in INDEXES:
            self.run(statement)

    def meta(self, key: str) -> str | None:
        """Return a value that the index keeps about itself."""
        found = self.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(found[0]["value"]) if found else None

    def set_meta(self, key: str, value: str | None) -> None:
        """Keep a value about the index; None removes it."""
        if value is None:
            self.run("DELETE FROM meta WHERE key = ?", (key,))
        else:
            self.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def set_aside(self, at: datetime) -> None:
        """Move a damaged index out of the way, with its side files."""
        self.close()
        path = self.path
        aside = path.with_name(f"index-damaged-{at:%Y%m%d-%H%M%S}.sqlite")
        for ending in ENDINGS:
            with contextlib.suppress(FileNotFoundError):
                Path(f"{path}{ending}").rename(f"{aside}{ending}")

    def close(self) -> None:
        """Let go of the connection."""
        with self.guard:
            if self._connection is not None:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.close()
            self._connection = None
            self._search = None
            self.stands_in_because = None


_OUTER = ("BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",))
_NESTED = ("SAVEPOINT part", "RELEASE part", ("ROLLBACK TO part", "RELEASE part"))
