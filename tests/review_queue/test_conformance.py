"""Both queues keep every promise of the port."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.ports import ReviewQueue, Storage
from hardwon.review_queue.queue import MarkdownQueue
from hardwon.review_queue.table import TableQueue
from hardwon.testing.conformance.proposals import ProposalsConformance
from hardwon.testing.conformance.review_queue import ReviewQueueConformance
from hardwon.testing.fakes.home import open_fake_home
from hardwon.testing.fakes.proposals import FakeTabledStorage


class TestMarkdownQueue(ReviewQueueConformance):
    @pytest.fixture
    def queue(self, tmp_path: Path) -> ReviewQueue:
        return MarkdownQueue(open_fake_home(tmp_path))


class TestTableQueue(ReviewQueueConformance):
    @pytest.fixture
    def queue(self, tmp_path: Path) -> ReviewQueue:
        return TableQueue(open_fake_home(tmp_path, storage=FakeTabledStorage()))


class TestFakeProposals(ProposalsConformance):
    @pytest.fixture
    def storage(self) -> Storage:
        return FakeTabledStorage()
