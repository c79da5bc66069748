"""Ends a child process (SIGKILL) at its n-th write or step; what the drivers of the tests of crashes share."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

WRITING = {"os.rename", "os.remove", "os.mkdir", "os.link", "os.truncate", "os.rmdir"}
CHANGING = {
    "posix": {"open", "write", "pwrite", "replace", "rename", "unlink", "remove", "mkdir", "rmdir", "link", "fsync",
              "ftruncate", "truncate", "close", "fork", "posix_spawn"},
    "fcntl": {"flock"},
    "sqlite3": {"connect", "execute", "executemany", "executescript", "commit", "close"},
    "_pygit2": None,
    "pygit2": None,
}  # fmt: skip
"""Functions in C by their module that may change what another process sees; None means all of that module."""


def killed_at(number: int, work: Callable[[], None]) -> bool:
    """Do the work in a child that is killed before its n-th write; return whether it got that far."""
    return _killed(work, lambda: _kill_before_write(number))


def killed_at_step(number: int, work: Callable[[], None]) -> bool:
    """Do the work in a child that is killed before its n-th step; return whether it got that far.

    A step is a call of anything in C that changes what others see: files, SQLite's statements, git's objects, locks.
    """
    return _killed(work, lambda: _kill_before_step(number))


def steps_of(work: Callable[[], None]) -> int:
    """Do the work in a child; return how many steps it took."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        steps = _count_steps(lambda: None)
        work()
        sys.setprofile(None)
        os.write(writing, str(steps[0]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        count = told.read()
    os.waitpid(child, 0)
    return int(count)


def _killed(work: Callable[[], None], prepare: Callable[[], None]) -> bool:
    child = os.fork()
    if child == 0:
        prepare()
        work()
        sys.setprofile(None)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status and not os.WIFSIGNALED(status):
        sys.exit(f"The work that was to be killed failed with {status}.")
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


def _kill_before_step(number: int) -> None:
    """End this process before it takes its n-th step."""

    def end() -> None:
        if steps[0] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    steps = _count_steps(end)


def _count_steps(after_each: Callable[[], None]) -> list[int]:
    """Count this process's steps from now on, in the list that is returned."""
    steps = [0]

    def watch(_frame: Any, event: str, called: Any) -> None:
        if event == "c_call" and _is_step(called):
            steps[0] += 1
            after_each()

    sys.setprofile(watch)
    return steps


def _is_step(called: Any) -> bool:
    owner = called.__module__ or type(called.__self__).__module__
    names = CHANGING.get(owner.partition(".")[0], ())
    return names is None or called.__name__ in names
