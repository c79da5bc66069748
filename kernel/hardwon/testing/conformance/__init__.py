"""What every implementation of a port promises, one pytest class a port.

    class TestMyStore(MemoryStoreConformance):
        @pytest.fixture
        def storage(self, tmp_path):
            ...

Each test's docstring is a promise of the port. The fakes pass them all, and so does what comes in the box.
"""

from pkgutil import iter_modules

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in iter_modules(__path__)))

from hardwon.testing.conformance.clock import ClockConformance  # noqa: E402 - after the rewriting is set up
from hardwon.testing.conformance.documents import DocumentsConformance  # noqa: E402
from hardwon.testing.conformance.embedder import EmbedderConformance  # noqa: E402
from hardwon.testing.conformance.extractor import ExtractorConformance  # noqa: E402
from hardwon.testing.conformance.generalizer import GeneralizerConformance  # noqa: E402
from hardwon.testing.conformance.harness import HarnessAdapterConformance  # noqa: E402
from hardwon.testing.conformance.journal import JournalConformance  # noqa: E402
from hardwon.testing.conformance.language_model import LanguageModelConformance  # noqa: E402
from hardwon.testing.conformance.ledger import LedgerConformance  # noqa: E402
from hardwon.testing.conformance.memory_meaning import MeaningConformance  # noqa: E402
from hardwon.testing.conformance.memory_store import MemoryStoreConformance  # noqa: E402
from hardwon.testing.conformance.mounted import MountedNotesConformance  # noqa: E402
from hardwon.testing.conformance.proposals import ProposalsConformance  # noqa: E402
from hardwon.testing.conformance.reader import LessonReaderConformance  # noqa: E402
from hardwon.testing.conformance.redactor import RedactorConformance  # noqa: E402
from hardwon.testing.conformance.review_queue import ReviewQueueConformance  # noqa: E402
from hardwon.testing.conformance.storage import StorageConformance  # noqa: E402
from hardwon.testing.conformance.storage_processes import StorageProcessesConformance  # noqa: E402
from hardwon.testing.conformance.timer import TimerConformance  # noqa: E402
from hardwon.testing.conformance.vectors import VectorsConformance  # noqa: E402

__all__ = [
    "ClockConformance",
    "DocumentsConformance",
    "EmbedderConformance",
    "ExtractorConformance",
    "GeneralizerConformance",
    "HarnessAdapterConformance",
    "JournalConformance",
    "LanguageModelConformance",
    "LedgerConformance",
    "LessonReaderConformance",
    "MeaningConformance",
    "MemoryStoreConformance",
    "MountedNotesConformance",
    "ProposalsConformance",
    "RedactorConformance",
    "ReviewQueueConformance",
    "StorageConformance",
    "StorageProcessesConformance",
    "TimerConformance",
    "VectorsConformance",
]
