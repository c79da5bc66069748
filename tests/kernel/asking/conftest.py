"""A governed model over a fake one, a ledger in memory and a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.asking.governed import GovernedModel, Surroundings
from hardwon.kernel.asking.reading import ModelAnswer
from hardwon.kernel.ports import LanguageModel, Ledger, Prompt
from hardwon.kernel.settings import LanguageModelSettings
from hardwon.testing.fakes import FakeRedactor, FakeStorage, FixedClock


class Word(ModelAnswer):
    """What the tests ask for."""

    word: str


@dataclass
class Place:
    """A home as far as a model sees it; each process opens a governed model of its own in it."""

    path: Path
    clock: FixedClock = field(default_factory=FixedClock)
    ledger: Ledger = field(default_factory=lambda: FakeStorage().ledger)
    waited: list[float] = field(default_factory=list)

    def open(self, model: LanguageModel, **caps: Any) -> GovernedModel:
        """Return the model as another process sees it."""
        settings = LanguageModelSettings(**{"model": model.name, "calls_per_minute": 1_000, **caps})
        around = Surroundings(self.path, self.clock, lambda: self.ledger, FakeRedactor)
        return GovernedModel(model, settings, around, self.wait)

    def wait(self, seconds: float) -> None:
        """Let that time pass."""
        self.waited.append(seconds)
        self.clock.advance(seconds=seconds)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Return the details of what the activity tells of the model."""
        return [each.details for each in self.ledger.activity("model")]

    @property
    def outcomes(self) -> list[str]:
        """Return what became of each call, or why there was none."""
        return [str(each["outcome"]) for each in self.lines]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def ask() -> Callable[..., Any]:
    """Return a function that asks for a word about something."""

    def run(model: GovernedModel, about: str = "x", check: Any = None) -> str:
        return model.ask(Prompt("word-1", "Say one word about:\n", about), Word, check).word

    return run
