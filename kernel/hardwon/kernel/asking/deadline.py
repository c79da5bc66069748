"""A deadline that holds whatever a library does: a call that goes on is left behind, and holds up nobody.

The work runs in a thread of its own that the interpreter does not wait for at its end. Time-outs of HTTP libraries
count from byte to byte, and an answer that trickles never reaches them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Return what the work returns, or raise what it raises. Raises TimeoutError after so many seconds."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # it is raised again where somebody waits for it
            errors.append(error)

    thread = threading.Thread(target=run, name="hardwon-model-call", daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if results:
        return results[0]
    raise TimeoutError(f"no end within {seconds:g} s")
