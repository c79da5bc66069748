"""A fake of each port, honest enough to pass the port's conformance suite, and nothing that touches disk or network."""

from hardwon.testing.fakes.clock import FixedClock
from hardwon.testing.fakes.console import RecordingConsole
from hardwon.testing.fakes.embedder import FakeEmbedder
from hardwon.testing.fakes.extractor import FakeExtractor
from hardwon.testing.fakes.generalizer import FakeGeneralizer
from hardwon.testing.fakes.harness import FakeHarness
from hardwon.testing.fakes.home import open_fake_home
from hardwon.testing.fakes.kept import Kept
from hardwon.testing.fakes.language_model import FakeLanguageModel
from hardwon.testing.fakes.mounted import FakeMountedNotes
from hardwon.testing.fakes.queue import FakeQueue
from hardwon.testing.fakes.reader import FakeReader
from hardwon.testing.fakes.redactor import FakeRedactor
from hardwon.testing.fakes.storage import FakeStorage
from hardwon.testing.fakes.timer import FakeTimer

__all__ = [
    "FakeEmbedder",
    "FakeExtractor",
    "FakeGeneralizer",
    "FakeHarness",
    "FakeLanguageModel",
    "FakeMountedNotes",
    "FakeQueue",
    "FakeReader",
    "FakeRedactor",
    "FakeStorage",
    "FakeTimer",
    "FixedClock",
    "Kept",
    "RecordingConsole",
    "open_fake_home",
]
