"""What the tests of the write gate write."""

from __future__ import annotations

from datetime import timedelta

from hardwon.kernel.memory import Source
from hardwon.testing.examples import MOMENT

NOW = MOMENT + timedelta(days=10)
TABS, SPACES = "Use tabs for indentation", "Use spaces for indentation"


def said_in(session: str, by: str = "agent") -> Source:
    return Source(said_by=by, harness="some-harness", session=session)
