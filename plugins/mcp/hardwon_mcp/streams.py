"""The client's two pipes, which nothing else in this process may touch.

A library that prints, a C library that writes to descriptor 1 or a child process that reads descriptor 0 would break
the protocol. So the pipes get private descriptors; from then on 0 is empty, and what goes to 1 goes to standard error.
"""

from __future__ import annotations

import fcntl
import os
import threading

from hardwon_mcp.messages import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LONGEST = 10_000_000
"""Bytes of a line. A longer one is passed over and reported."""
STANDARD_ERROR, _FIRST_PRIVATE = 2, 3


class Streams:
    """Lines from the client, and messages to it."""

    def __init__(self, reading: int, writing: int) -> None:
        self._input = os.fdopen(reading, "rb", buffering=65_536)
        self._output = writing
        self._lock = threading.Lock()

    def lines(self) -> Iterator[bytes | None]:
        """Walk the client's lines until it closes its end; None for one that is longer than LONGEST."""
        while line := self._input.readline(LONGEST + 1):
            if len(line) <= LONGEST:
                if line.strip():
                    yield line
                continue
            while line and not line.endswith(b"\n"):
                line = self._input.readline(LONGEST)
            yield None

    def send(self, message: Any) -> None:
        """Send one message whole. Raises OSError when the client is gone."""
        left = memoryview(encoded(message))
        with self._lock:
            while left:
                left = left[os.write(self._output, left) :]


def claim_streams() -> Streams:
    """Take the standard streams for the protocol alone. Raises OSError where the client left none open."""
    reading, writing = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE) for number in (0, 1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(STANDARD_ERROR, 1)
    if nothing == STANDARD_ERROR:  # The client left it closed; the next file would get its number, and what is told.
        os.set_inheritable(nothing, True)
    else:
        os.close(nothing)
    return Streams(reading, writing)
