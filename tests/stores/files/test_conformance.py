"""The files store keeps every promise of its ports."""

from __future__ import annotations

import pytest

from hardwon.stores.files.storage import FilesStorage
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


class OverFiles:
    """Gives the suites an open store of an empty home."""

    @pytest.fixture
    def storage(self, open_store: Open) -> FilesStorage:
        return open_store()

    @pytest.fixture
    def make_storage(self, open_store: Open) -> Open:
        return open_store


class TestMemories(OverFiles, MemoryStoreConformance):
    """Memories in Markdown."""


class TestLedger(OverFiles, LedgerConformance):
    """Decisions in files, activity in lines."""


class TestDocuments(OverFiles, DocumentsConformance):
    """Documents in the same folder."""


class TestJournal(OverFiles, JournalConformance):
    """Turns in the days' files."""


class TestVectors(OverFiles, VectorsConformance):
    """Vectors beside the index."""


class TestStorage(OverFiles, StorageConformance):
    """The whole."""


class TestProcesses(OverFiles, StorageProcessesConformance):
    """The whole, by several processes."""
