"""A home in memory whose clock stands still, and a hand to write into it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Source
from hardwon.testing.examples import MOMENT
from hardwon.testing.fakes import FixedClock, open_fake_home

NOW = MOMENT + timedelta(days=10)
TABS, SPACES = "Use tabs for indentation", "Use spaces for indentation"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=FixedClock(NOW)) as home:
        yield home


def said_in(session: str, by: str = "agent") -> Source:
    return Source(said_by=by, harness="some-harness", session=session)
