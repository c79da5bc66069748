"""The SQLite store keeps every promise of its ports."""

from __future__ import annotations

import pytest

from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.testing.conformance import (
    DocumentsConformance,
    JournalConformance,
    LedgerConformance,
    MemoryStoreConformance,
    StorageConformance,
    StorageProcessesConformance,
    VectorsConformance,
)

from .conftest import Open


class OverSqlite:
    """Gives the suites an open store of an empty home."""

    @pytest.fixture
    def storage(self, open_store: Open) -> SqliteStorage:
        return open_store()

    @pytest.fixture
    def make_storage(self, open_store: Open) -> Open:
        return open_store


class TestMemories(OverSqlite, MemoryStoreConformance):
    """Memories in rows."""


class TestLedger(OverSqlite, LedgerConformance):
    """Decisions and activity in rows."""


class TestDocuments(OverSqlite, DocumentsConformance):
    """Documents in rows."""


class TestJournal(OverSqlite, JournalConformance):
    """Turns in rows."""


class TestVectors(OverSqlite, VectorsConformance):
    """Vectors in the same file."""


class TestStorage(OverSqlite, StorageConformance):
    """The whole."""


class TestProcesses(OverSqlite, StorageProcessesConformance):
    """The whole, by several processes."""
