"""The files store keeps every promise of its ports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.ports import Embedder
from hardwon.stores.files.storage import FilesStorage, open_files
from hardwon.testing.conformance import (
    DocumentsConformance,
    JournalConformance,
    LedgerConformance,
    MeaningConformance,
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


class TestMeaning(MeaningConformance):
    """Search by meaning."""

    @pytest.fixture
    def storage(self, home_path: Path, embedder: Embedder) -> Iterator[FilesStorage]:
        home = Home(home_path)
        home.__dict__["embedder"] = embedder
        storage = open_files(home)
        yield storage
        storage.close()
