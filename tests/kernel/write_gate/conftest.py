"""A home in memory whose clock stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.testing.fakes import FixedClock, open_fake_home

from .hands import NOW


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=FixedClock(NOW)) as home:
        yield home
