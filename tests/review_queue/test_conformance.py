"""The Markdown queue keeps every promise of the port."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.ports import ReviewQueue
from hardwon.review_queue.queue import MarkdownQueue
from hardwon.testing.conformance.review_queue import ReviewQueueConformance
from hardwon.testing.fakes.home import open_fake_home


class TestMarkdownQueue(ReviewQueueConformance):
    @pytest.fixture
    def queue(self, tmp_path: Path) -> ReviewQueue:
        return MarkdownQueue(open_fake_home(tmp_path))
