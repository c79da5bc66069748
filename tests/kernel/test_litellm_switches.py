"""Which addresses are this machine's own: only there nothing costs, nothing needs a key, and no proxy is asked."""

from __future__ import annotations

import pytest

from hardwon.kernel.litellm_switches import is_loopback


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("http://localhost:11434", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:8080", True),
        ("http://127.example.com/v1", False),
        ("http://127.0.0.1.example.com/v1", False),
        ("http://localhost.example.com", False),
        ("https://api.example.com", False),
        ("http://[broken", False),
        ("", False),
    ],
)
def test_only_this_machine_is_loopback(address: str, own: bool) -> None:
    assert is_loopback(address) is own
