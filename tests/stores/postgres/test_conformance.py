"""The Postgres store keeps every promise of its ports."""

from __future__ import annotations

import pytest

from hardwon.stores.postgres.storage import PostgresStorage
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


class OverPostgres:
    """Gives the suites an open store of an empty schema."""

    @pytest.fixture
    def storage(self, open_store: Open) -> PostgresStorage:
        return open_store()

    @pytest.fixture
    def make_storage(self, open_store: Open) -> Open:
        return open_store


class TestMemories(OverPostgres, MemoryStoreConformance):
    """Memories as rows."""


class TestLedger(OverPostgres, LedgerConformance):
    """Decisions and activity as rows."""


class TestDocuments(OverPostgres, DocumentsConformance):
    """Documents as rows."""


class TestJournal(OverPostgres, JournalConformance):
    """Turns as rows."""


class TestVectors(OverPostgres, VectorsConformance):
    """Vectors as rows."""


class TestStorage(OverPostgres, StorageConformance):
    """The whole."""


class TestProcesses(OverPostgres, StorageProcessesConformance):
    """The whole, by several processes."""


class TestMeaning(OverPostgres, MeaningConformance):
    """Search by meaning; every home of these tests has the fake embedder."""


class TestProposals(OverPostgres, ProposalsConformance):
    """The review queue in rows."""
