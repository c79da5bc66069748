"""The marker of the tests that start real coding agents."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "end_to_end: starts real coding agents, installed from npm (slow)")
