"""The offline extractor keeps the port's promises, and is the one that a fresh home uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.generalizer.extraction.offline import OfflineExtractor
from hardwon.kernel.home import Home
from hardwon.kernel.registry import registry
from hardwon.kernel.settings import Settings
from hardwon.testing.conformance import ExtractorConformance


class TestOfflineExtractor(ExtractorConformance):
    @pytest.fixture
    def extractor(self) -> OfflineExtractor:
        return OfflineExtractor()


def test_it_is_the_extractor_of_a_fresh_home(tmp_path: Path) -> None:
    """By the name that the settings have when nobody has set one."""
    extractor = registry().get("extractors", Settings().extractor)(Home(tmp_path))

    assert extractor.name == "offline"
