"""One command from its arguments to its exit code: opens the home, runs the action, says what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from hardwon.cli.console import TerminalConsole
from hardwon.cli.output import complain, print_json, print_text
from hardwon.kernel.actions import Action, Report
from hardwon.kernel.errors import HardwonError
from hardwon.kernel.home import Home, locate_home

DONE = 0
FAILED = 1
INTERRUPTED = 130
"""128 and the number of the signal, as shells have it."""


def run_action(
    action: Action, arguments: tuple[Sequence[Any], Mapping[str, Any]], *, home: str | None, as_json: bool
) -> int:
    """Run an action and print its report; return the exit code."""
    try:
        report = _report(action, arguments, home, as_json)
        _print(report, as_json)
    except BrokenPipeError:
        let_go_of_output()
        return FAILED
    except KeyboardInterrupt:
        return interrupted()
    except HardwonError as error:
        return _failure(error, str(error), error.exit_code, as_json)
    except OSError as error:
        return _failure(error, refusal(error), FAILED, as_json)
    return FAILED if report.failed else DONE


def interrupted() -> int:
    """Say that Ctrl-C was heard, and return the exit code for it."""
    complain("Stopped; what was finished until now is kept.")
    return INTERRUPTED


def refusal(error: OSError) -> str:
    """Return what the system refused, as a sentence."""
    where = f" ({error.filename})" if error.filename else ""
    return f"The system refused: {error.strerror or error}{where}; mend that and repeat the command."


def _report(
    action: Action, arguments: tuple[Sequence[Any], Mapping[str, Any]], home: str | None, as_json: bool
) -> Report:
    path, named_by = locate_home(home)
    positional, named = arguments
    console = TerminalConsole(sys.stdout if action.narrates and not as_json else sys.stderr)
    with Home(path, named_by=named_by, console=console) as opened:
        return action.run(opened, *positional, **named)


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        print_json(report.data, sys.stdout)
    else:
        print_text(report.text, sys.stdout, verbatim=report.verbatim)
    sys.stdout.flush()


def _failure(error: Exception, sentence: str, code: int, as_json: bool) -> int:
    complain(sentence)
    try:
        if as_json:
            print_json({"error": sentence, "kind": type(error).__name__}, sys.stdout)
        sys.stdout.flush()
    except OSError:  # it is the output that failed
        let_go_of_output()
    return code


def let_go_of_output() -> None:
    """Let nothing be written to an output whose reader left or whose disk is full, not at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
