"""Ends a child process (SIGKILL) before its n-th write; what the drivers of the tests of crashes share."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

WRITING = {"os.rename", "os.remove", "os.mkdir", "os.link", "os.truncate", "os.rmdir"}


def killed_at(number: int, work: Callable[[], None]) -> bool:
    """Do the work in a child that is killed before its n-th write; return whether it got that far."""
    child = os.fork()
    if child == 0:
        _kill_before_write(number)
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _kill_before_write(number: int) -> None:
    """End this process before it makes its n-th write."""
    left = number

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        flags = arguments[2] if event == "open" and isinstance(arguments[2], int) else 0
        if event in WRITING or flags & (os.O_WRONLY | os.O_RDWR):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
