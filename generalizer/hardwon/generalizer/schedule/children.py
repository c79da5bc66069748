"""Processes in which `serve` has its work done: it stays small, and can end at once while they are at work.

Each has a session of its own, so that it is ended with whatever it started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from hardwon.kernel.hook.worker import OFF as HOOKS_OFF

GRACE = 3.0
"""Seconds that a process has for its own end, before it is killed."""


class Children:
    """The processes at work."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ending = False

    def run(self, module: str, home: Path, *arguments: str) -> int | None:
        """Run `python -m module home …` to its end and return its exit code; None when all are being ended."""
        with self._lock:
            if self._ending:
                return None
            # -P keeps a `json.py` of the folder that the user stands in from being imported.
            process = subprocess.Popen(  # noqa: S603 - our own modules
                [sys.executable, "-P", "-m", module, str(home), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=os.environ | {HOOKS_OFF: "off"},
            )
            self._running.add(process)
        try:
            return process.wait()
        finally:
            with self._lock:
                self._running.discard(process)

    def end(self) -> None:
        """End all that are at work, and start no more."""
        with self._lock:
            self._ending = True
            running = list(self._running)
        for process in running:
            _signal(process, signal.SIGTERM)
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
            _signal(process, signal.SIGKILL)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
