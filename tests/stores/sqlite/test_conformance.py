"""The SQLite store keeps every promise of its ports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.ports import Embedder
from hardwon.stores.sqlite.storage import SqliteStorage, open_sqlite
from hardwon.testing.conformance import (
    DocumentsConformance,
    JournalConformance,
    LedgerConformance,
    MeaningConformance,
    MemoryStoreConformance,
    ProposalsConformance,
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


class TestMeaning(MeaningConformance):
    """Search by meaning."""

    @pytest.fixture
    def storage(self, home_path: Path, embedder: Embedder) -> Iterator[SqliteStorage]:
        home = Home(home_path)
        home.__dict__["embedder"] = embedder
        storage = open_sqlite(home)
        yield storage
        storage.close()


class TestProposals(OverSqlite, ProposalsConformance):
    """The review queue in rows."""
