"""A signal ends the wait of `serve`, at whatever step of it the signal comes."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from hardwon.generalizer.schedule.stopping import Stopping

PATIENCE = 20
"""Seconds after which a wait that nothing ends is given up."""
STEPS = 40
"""More than the lines, and the returns, of Python that a wait consists of."""


@contextmanager
def impatience() -> Iterator[None]:
    def give_up(*_: Any) -> None:
        raise AssertionError("The wait is never over.")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def signal_at(step: int, number: signal.Signals) -> Iterator[None]:
    """Send this process a signal at one step of what is called in the block."""
    left = step

    def at_each(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            signal.raise_signal(number)
        return at_each

    before = sys.gettrace()
    sys.settrace(at_each)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_whatever_step_it_comes_at(number: signal.Signals) -> None:
    for step in range(1, STEPS):
        stopping = Stopping()
        with stopping.by_signals(), impatience():
            with signal_at(step, number):
                came_meanwhile = stopping.wait(0.001)
            if not came_meanwhile:  # it came after the last step, or as the time was over
                signal.raise_signal(number)
                assert stopping.wait(PATIENCE)


def test_without_one_the_time_passes() -> None:
    stopping = Stopping()
    with stopping.by_signals():
        assert not stopping.wait(0.001)


def test_what_a_signal_did_before_it_does_again() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Stopping().by_signals():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
