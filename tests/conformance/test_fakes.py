"""The fakes that ship with the package keep every promise that a real implementation has to keep."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.clock import SystemClock
from hardwon.testing.conformance import (
    ClockConformance,
    DocumentsConformance,
    EmbedderConformance,
    ExtractorConformance,
    GeneralizerConformance,
    HarnessAdapterConformance,
    JournalConformance,
    LanguageModelConformance,
    LedgerConformance,
    LessonReaderConformance,
    MemoryStoreConformance,
    MountedNotesConformance,
    RedactorConformance,
    ReviewQueueConformance,
    StorageConformance,
    TimerConformance,
    VectorsConformance,
)
from hardwon.testing.fakes import (
    FakeEmbedder,
    FakeExtractor,
    FakeGeneralizer,
    FakeHarness,
    FakeLanguageModel,
    FakeMountedNotes,
    FakeQueue,
    FakeReader,
    FakeRedactor,
    FakeStorage,
    FakeTimer,
    FixedClock,
    Kept,
)


class OverFakeStorage:
    @pytest.fixture
    def storage(self) -> FakeStorage:
        return FakeStorage()


class TestFakeMemoryStore(OverFakeStorage, MemoryStoreConformance):
    pass


class TestFakeLedger(OverFakeStorage, LedgerConformance):
    pass


class TestFakeDocuments(OverFakeStorage, DocumentsConformance):
    pass


class TestFakeVectors(OverFakeStorage, VectorsConformance):
    pass


class TestFakeJournal(OverFakeStorage, JournalConformance):
    pass


class TestFakeStorage(StorageConformance):
    @pytest.fixture
    def make_storage(self) -> Any:
        kept = Kept()
        return lambda: FakeStorage(kept)


class TestFixedClock(ClockConformance):
    @pytest.fixture
    def clock(self) -> FixedClock:
        return FixedClock()


class TestSystemClock(ClockConformance):
    @pytest.fixture
    def clock(self) -> SystemClock:
        return SystemClock()


class TestFakeEmbedder(EmbedderConformance):
    @pytest.fixture
    def embedder(self) -> FakeEmbedder:
        return FakeEmbedder()


class TestFakeLanguageModel(LanguageModelConformance):
    @pytest.fixture
    def model(self) -> FakeLanguageModel:
        return FakeLanguageModel([{"same": True, "reason": "Both wait."}])

    @pytest.fixture
    def babbling(self) -> FakeLanguageModel:
        return FakeLanguageModel(["I would say that they are the same."])


class FakeFolder:
    """The notes of a fake, changed as files would be."""

    def __init__(self, notes: FakeMountedNotes) -> None:
        self._notes = notes

    def write(self, name: str, text: str) -> None:
        self._notes.notes[name] = text

    def remove(self, name: str) -> None:
        del self._notes.notes[name]

    def take_away(self) -> None:
        self._notes.is_away = True


class TestFakeMountedNotes(MountedNotesConformance):
    @pytest.fixture
    def notes(self) -> FakeMountedNotes:
        return FakeMountedNotes("shop")

    @pytest.fixture
    def folder(self, notes: FakeMountedNotes) -> FakeFolder:
        return FakeFolder(notes)


class TestFakeQueue(ReviewQueueConformance):
    @pytest.fixture
    def queue(self) -> FakeQueue:
        return FakeQueue()


class TestFakeGeneralizer(GeneralizerConformance):
    @pytest.fixture
    def generalizer(self) -> FakeGeneralizer:
        return FakeGeneralizer()


class TestFakeReader(LessonReaderConformance):
    @pytest.fixture
    def reader(self) -> FakeReader:
        return FakeReader()

    @pytest.fixture
    def readable(self, tmp_path: Path) -> Path:
        path = tmp_path / "team.lessons"
        path.write_text("Pin the runner.\n---\n固定版本。\n", encoding="utf-8")
        return path

    @pytest.fixture
    def unreadable(self, tmp_path: Path) -> Path:
        path = tmp_path / "broken.lessons"
        path.write_bytes(b"\xff\xfe\x00")
        return path


class TestFakeHarness(HarnessAdapterConformance):
    @pytest.fixture
    def configuration(self, tmp_path: Path) -> Path:
        folder = tmp_path / "harness"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps({"theme": "dark"}), encoding="utf-8")
        (folder / "session.jsonl").write_text("{}\n", encoding="utf-8")
        return folder

    @pytest.fixture
    def transcript(self, tmp_path: Path) -> Path:
        rows = [
            {"id": "1", "session": "s", "by": "user", "text": "Fix it."},
            {"id": "2", "session": "s", "by": "agent"},
        ]
        path = tmp_path / "session.jsonl"
        path.write_text("".join(json.dumps({"text": "Done.", **row}) + "\n" for row in rows), encoding="utf-8")
        return path

    @pytest.fixture
    def adapter(self, configuration: Path) -> FakeHarness:
        return FakeHarness(configuration)

    @pytest.fixture
    def payload(self) -> dict[str, Any]:
        return {"event": "prompt", "prompt": "Fix the flaky test."}


class TestFakeExtractor(ExtractorConformance):
    @pytest.fixture
    def extractor(self) -> FakeExtractor:
        return FakeExtractor()


class TestFakeRedactor(RedactorConformance):
    @pytest.fixture
    def redactor(self) -> FakeRedactor:
        return FakeRedactor()


class TestFakeTimer(TimerConformance):
    @pytest.fixture
    def timer(self) -> FakeTimer:
        return FakeTimer()

    @pytest.fixture
    def snapshot(self, timer: FakeTimer) -> Callable[[], object]:
        return lambda: dict(timer.lines)
