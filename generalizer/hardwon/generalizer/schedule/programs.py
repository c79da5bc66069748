"""Other programs as the timers call them, and the command that the timers start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from hardwon.kernel.errors import InvalidInput, Unavailable

PATIENCE = 20.0
"""Seconds that another program may take."""


def due_command(home: Path) -> list[str]:
    """Return the command that makes the run of a home if it is due. Raises InvalidInput for a path of several lines."""
    if any(ord(character) < 32 for character in str(home)):
        raise InvalidInput(f"{str(home)!r} holds a control character, which no timer can name; move the memory.")
    return [sys.executable, "-P", "-m", "hardwon.cli", "consolidate", "--due", "--home", str(home)]


def is_there(program: str) -> bool:
    """Tell whether a program can be found."""
    return shutil.which(program) is not None


def call(command: Sequence[str], given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, with messages in English. Raises Unavailable where it is not there or does not end."""
    # Never of the hook: what a timer's program starts is not ours.
    environment = os.environ | {"LC_ALL": "C"}
    try:
        return subprocess.run(  # noqa: S603 - a program that the user's system has, named by us
            command, input=given or b"", capture_output=True, timeout=PATIENCE, env=environment, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"`{' '.join(command)}` cannot be run here ({error}); use another timer.") from None


def require(command: Sequence[str], given: bytes | None = None) -> bytes:
    """Run a program and return what it printed. Raises Unavailable where it fails."""
    done = call(command, given)
    if done.returncode:
        why = " ".join(done.stderr.decode(errors="replace").split()) or f"exit code {done.returncode}"
        raise Unavailable(f"`{' '.join(command)}` failed ({why}); nothing was changed, mend that or use another timer.")
    return done.stdout
