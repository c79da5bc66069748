"""Runs take turns over all machines that share a memory, where its store can tell; else there is one machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from hardwon.kernel.ports import Shared

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

TURN = "consolidate"
PAUSE = 0.5
"""Seconds between tries while another machine is at it."""
BUSY = "Another machine is at it with this memory, so this one did nothing; run it again later."


@contextmanager
def alone_everywhere(home: Home, patience: float = 0.0) -> Iterator[bool]:
    """Try to be the only machine that makes a run, for `patience` seconds; yield whether that is so. Raises StoreError.

    A machine that is switched off meanwhile hinders the others until its server finds that it is gone.
    """
    if not isinstance(home.storage, Shared):
        yield True
        return
    given_up = time.monotonic() + patience
    with ExitStack() as stack:
        while not (got := stack.enter_context(home.storage.turn(TURN))) and time.monotonic() < given_up:
            stack.close()
            time.sleep(PAUSE)
        yield got
