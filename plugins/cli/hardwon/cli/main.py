"""The program `hardwon`: loads the plugins, makes one Typer application of their actions, and runs it.

Exit codes: 0 done, 1 a stated failure, 2 usage, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hardwon.cli.application import build_application
from hardwon.cli.output import be_lenient, complain
from hardwon.cli.running import FAILED, interrupted, let_go_of_output, refusal
from hardwon.kernel.registry import Broken, registry


def main() -> None:
    """Run the command line."""
    _open_closed_streams()
    try:
        _in_utf8_mode()
        _run()
    except KeyboardInterrupt:
        sys.exit(interrupted())
    except OSError as error:  # such as a full disk under the help's output
        complain(refusal(error))
        let_go_of_output()
        sys.exit(FAILED)


def _run() -> None:
    be_lenient(sys.stdout, sys.stderr)
    loaded = registry()
    completing = any(name.endswith("_COMPLETE") for name in os.environ)
    application, unusable = build_application(loaded, None if completing else sys.argv[1:])
    for broken in (*loaded.broken, *unusable):
        complain(_line(broken))
    application(prog_name="hardwon")


def _open_closed_streams() -> None:
    """Put nothing in the place of a standard stream that the caller closed (`>&-`); Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for the whole run


def _in_utf8_mode() -> None:
    """Start again in Python's UTF-8 mode where the locale is an older one: memories' names and files are in any script.

    The streams keep the locale's encoding, which is what the terminal shows.
    """
    if sys.getfilesystemencoding() == "utf-8":
        return
    shown = os.environ.get("PYTHONIOENCODING") or f"{sys.stdout.encoding}:replace"
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONIOENCODING": shown}
    # -P keeps a `json.py` of the folder that the user stands in from being imported.
    command = [sys.executable, "-P", "-m", "hardwon.cli", *sys.argv[1:]]
    typed = [word.encode("utf-8", "surrogateescape") for word in command]
    os.execve(sys.executable, typed, environment)  # noqa: S606


def _line(broken: Broken) -> str:
    return (
        f"Plugin {broken.name} of {broken.distribution} is broken and left out ({broken.reason}); "
        "upgrade or uninstall it."
    )
