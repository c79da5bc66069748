"""Tells our commands in a harness's settings from everybody else's, by what they start: no other mark is kept there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.kernel.harness import Job

_PROGRAM = "/hook/hook"
_JOB_MARK = "# hardwon job:"


def guarded(command: str) -> str:
    """Return a command that fails never: Python ends with 2 where its file is gone, and that blocks the user's turn."""
    return f"{command} || true"


def home_of(command: object, harness: str) -> Path | None:
    """Return the home that a command's hook program lies in; None when it is not ours, or another harness's."""
    if not isinstance(command, str) or _PROGRAM not in command:
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    for program, given in pairwise(words):
        if program.endswith(_PROGRAM) and given == harness:
            return Path(program.removesuffix(_PROGRAM))
    return None


def job_command(job: Job) -> str:
    """Return a command line for a job: silent, since a harness reads what a hook prints, and marked as ours."""
    return f"{shlex.join(job.command)} >/dev/null 2>&1 {_JOB_MARK} {job.name}"


def is_job(command: object) -> bool:
    """Tell whether a command was written by `job_command`."""
    return isinstance(command, str) and re.search(rf"{re.escape(_JOB_MARK)} \S+\Z", command) is not None


def named_home(arguments: object) -> Path | None:
    """Return the home that a program's arguments name: `--home PATH`; None where they name none, or are nonsense."""
    if not isinstance(arguments, Sequence):
        return None
    return next((Path(path) for name, path in pairwise(arguments) if name == "--home" and isinstance(path, str)), None)


def runs_module(arguments: object, module: str) -> bool:
    """Tell whether a program's arguments start a Python module: `-m module`."""
    return isinstance(arguments, Sequence) and any(
        first == "-m" and second == module for first, second in pairwise(arguments)
    )
