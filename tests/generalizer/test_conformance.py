"""The offline generalizer keeps the port's promises with any embedder, and where none can run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Generalizer
from hardwon.testing.conformance import GeneralizerConformance
from hardwon.testing.examples import memory

OpenHome = Callable[..., Home]


class TestWithAnEmbedder(GeneralizerConformance):
    @pytest.fixture
    def generalizer(self, open_home: OpenHome) -> Generalizer:
        return open_home().generalizer


class TestWithoutAnEmbedder(GeneralizerConformance):
    """As on a machine that the bundled embedder has no wheel for."""

    @pytest.fixture
    def generalizer(self, open_home: OpenHome) -> Generalizer:
        return open_home(embedder=None).generalizer


class TestWithEmbeddingTurnedOff(GeneralizerConformance):
    @pytest.fixture
    def generalizer(self, open_home: OpenHome) -> Generalizer:
        return open_home('embedder = "none"\n').generalizer


class TestWithTheBundledEmbedder(GeneralizerConformance):
    @pytest.fixture
    def generalizer(self, bundled_home: Home) -> Generalizer:
        return bundled_home.generalizer


@pytest.mark.parametrize("embedder", ["bundled", None])
def test_any_text_is_a_lesson(
    open_home: OpenHome, waiting: list[MemoryEntry], embedder: str | None, request: pytest.FixtureRequest
) -> None:
    """What is empty, huge, broken or in any script is no reason to stop, and takes nothing from the others."""
    strange = ("", " \r\n\t", "🦀" * 500, "\x00\ufeff\u202e", "a" * 100_000, "锁" * 20_000, "?!", "Ω≈ç√", "~ + *", "1")
    generalizer = open_home(embedder=embedder and request.getfixturevalue(embedder)).generalizer
    alone = generalizer.propose(waiting, [], [], [])
    among = generalizer.propose([*waiting, *(memory(text, "odd") for text in strange)], [], [], [])
    assert [each.id for each in alone] == [each.id for each in among] != []
