"""A home made of fakes: a use case is tested against the ports, with no part installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.home import Home
from hardwon.kernel.ports import (
    Clock,
    Console,
    Embedder,
    Generalizer,
    HarnessAdapter,
    LanguageModel,
    LessonReader,
    ReviewQueue,
    Storage,
)
from hardwon.kernel.registry import Registry
from hardwon.kernel.settings import LanguageModelSettings, Settings
from hardwon.testing.fakes.clock import FixedClock
from hardwon.testing.fakes.console import RecordingConsole
from hardwon.testing.fakes.embedder import FakeEmbedder
from hardwon.testing.fakes.extractor import FakeExtractor
from hardwon.testing.fakes.generalizer import FakeGeneralizer
from hardwon.testing.fakes.queue import FakeQueue
from hardwon.testing.fakes.reader import FakeReader
from hardwon.testing.fakes.redactor import FakeRedactor
from hardwon.testing.fakes.storage import FakeStorage

OWNER = "fakes"


def open_fake_home(
    path: Path,
    *,
    storage: Storage | None = None,
    queue: ReviewQueue | None = None,
    generalizer: Generalizer | None = None,
    embedder: Embedder | Literal["fake"] | None = "fake",
    readers: Mapping[str, LessonReader] | None = None,
    harnesses: Mapping[str, HarnessAdapter] | None = None,
    actions: Mapping[str, Any] | None = None,
    console: Console | None = None,
    clock: Clock | None = None,
    language_model: LanguageModel | None = None,
    caps: LanguageModelSettings | None = None,
) -> Home:
    """Return a created home in which every part is a fake, or the one given, under the name that the settings ask for.

    `embedder=None` is a machine where the embedder cannot run. A language model is asked under `caps`, without them in
    the pace of the test; without one the settings name none.
    """
    console, clock = console or RecordingConsole(), clock or FixedClock()
    settings = _asking(language_model, caps) if language_model else Settings()
    embedder = FakeEmbedder() if embedder == "fake" else embedder
    parts: dict[tuple[str, str], Any] = {
        ("stores", settings.store): _always(storage or FakeStorage(clock=clock)),
        ("review_queues", settings.review_queue or "markdown"): _always(queue or FakeQueue()),
        ("redactors", settings.redactor): _always(FakeRedactor()),
        ("extractors", settings.extractor): _always(FakeExtractor()),
        ("generalizers", settings.generalizer.name): _always(generalizer or FakeGeneralizer()),
        ("embedders", settings.embedder): _always(embedder) if embedder else _unavailable,
    }
    parts |= {("language_models", settings.language_model.name): _always(language_model)} if language_model else {}
    named = {"readers": readers or {"lessons": FakeReader()}, "harnesses": harnesses or {}, "actions": actions or {}}
    parts |= {(kind, name): part for kind, offers in named.items() for name, part in offers.items()}
    given = settings if language_model else None
    home = Home(path, console=console, clock=clock, registry=_registry(parts), settings=given)
    home.create()
    return home


def _asking(model: LanguageModel, caps: LanguageModelSettings | None) -> Settings:
    """Return settings that name a model."""
    asked = caps or LanguageModelSettings(calls_per_minute=1_000_000)
    return Settings(language_model=asked.model_copy(update={"model": model.name}))


def _registry(parts: Mapping[tuple[str, str], Any]) -> Registry:
    registry = Registry()
    for (kind, name), part in parts.items():
        registry.offer(kind, name, part, OWNER)
    return registry


def _always(part: Any) -> Any:
    return lambda _where: part


def _unavailable(_settings: Settings) -> Embedder:
    raise Unavailable("There is no embedder here; search by words alone.")
