"""A thread that closes a connection holds up nobody who lives longer than it: no child process, no end of the program.

The close takes long here, as it does where a large log is copied into the file.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hardwon.stores.sqlite.held import Held
from hardwon.stores.sqlite.place import find_place

PATIENCE = 10
"""Seconds after which a process that nothing ends is given up."""
CLOSES_FOR_EVER = """
import threading

closes = threading.Event()

class Slow:
    def close(self):
        closes.set()
        threading.Event().wait()

def close(held):
    held.connection = Slow()
    held.close()
"""
"""A module of its own: a thread in a function of the program would keep what that has open from being put away."""
ENDS_MEANWHILE = """
import sys, threading
from pathlib import Path
from closing_for_ever import close, closes
from hardwon.stores.sqlite.held import Held
from hardwon.stores.sqlite.place import find_place

path = Path(sys.argv[1])
place = find_place(path)
mine, others = (Held.connected(path, (path.stat().st_ino, place)) for _ in range(2))
threading.Thread(target=close, args=(others,), daemon=True).start()
closes.wait()
"""


class Slow:
    """A connection that is being closed until it may be."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.closes, self.may = threading.Event(), threading.Event()

    def close(self) -> None:
        self.closes.set()
        self.may.wait()
        self._connection.close()


def opened(path: Path) -> Held:
    place = find_place(path)
    return Held.connected(path, (path.stat().st_ino, place))


def test_a_child_process_has_no_lock_of_a_thread_that_it_has_not(tmp_path: Path) -> None:
    held = opened(tmp_path / "memory.sqlite")
    slow = Slow(held.connection)
    held.connection = slow  # type: ignore[assignment]
    with ThreadPoolExecutor(1) as threads:
        closed = threads.submit(held.close)
        slow.closes.wait()
        threading.Timer(0.2, slow.may.set).start()
        child = os.fork()
        if child == 0:
            signal.alarm(PATIENCE)
            opened(tmp_path / "another.sqlite").close()
            os._exit(0)
        closed.result()
    assert os.waitpid(child, 0)[1] == 0


def test_a_program_ends_while_a_thread_closes(tmp_path: Path) -> None:
    """And stops that thread with the lock that it has, before what is left is closed."""
    (tmp_path / "closing_for_ever.py").write_text(CLOSES_FOR_EVER, encoding="utf-8")
    (tmp_path / "program.py").write_text(ENDS_MEANWHILE, encoding="utf-8")
    command = [sys.executable, "program.py", "memory.sqlite"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=PATIENCE)
