"""Writes docs/reference/commands.md from the actions: `python tests/cli/command_reference.py`.

tests/cli/test_documentation.py holds the file against what this returns.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardwon.cli.parameters import command_parameters
from hardwon.kernel.actions import Action
from hardwon.kernel.registry import LIMIT_VARIABLE, registry

PATH = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
HEAD = """# Commands

Generated from the commands themselves by `python tests/cli/command_reference.py`; change their texts there.

Every command takes `--home PATH` (the memory's folder, if not the usual one; it may stand before the command, too) and
`--json` (one JSON value on standard output, and nothing else there). Text is Markdown, rendered on a terminal and plain
elsewhere. Messages and progress go to standard error.

| Exit code | |
|---|---|
| 0 | done |
| 1 | a stated failure, in one sentence on standard error; or the rest was done and something could not be taken |
| 2 | usage: the command line was not understood |
| 130 | stopped by Ctrl-C |

With `--json`, a stated failure is also printed as `{"error": "the sentence", "kind": "NotFound"}`.

A memory is named by its id, by the start of its id if only one fits, or by the id that it had elsewhere. In the
examples, words in capitals such as ID stand for yours. Plugins may bring further commands; `hardwon plugins` lists
which.
"""


def reference(actions: Mapping[str, Action]) -> str:
    """Return the whole document."""
    return HEAD + "".join(section(name, actions[name]) for name in sorted(actions, key=lambda name: name.split()))


def section(name: str, action: Action) -> str:
    """Return what is to be said of one command."""
    parameters = [each for each in command_parameters(name, action) if each.name not in ("home", "json")]
    arguments = [each for each in parameters if "ArgumentInfo" in type(told(each)).__name__]
    usage = " ".join(["hardwon", name, *map(shown, arguments)])
    rows = "".join(f"| {label(each)} | {described(each)} |\n" for each in parameters)
    table = f"\n| | |\n|---|---|\n{rows}" if rows else ""
    text = inspect.getdoc(action.run) or ""
    return f"\n## `{usage}`\n\n{text}\n{table}\n```console\n$ hardwon {action.example}\n```\n"


def told(parameter: inspect.Parameter) -> Any:
    """Return what Typer was told of a parameter."""
    return parameter.annotation.__metadata__[0]


def shown(parameter: inspect.Parameter) -> str:
    """Return an argument as it stands in a usage line."""
    name = str(told(parameter).metavar) + ("…" if "list[" in str(parameter.annotation) else "")
    return name if parameter.default is inspect.Parameter.empty else f"[{name}]"


def label(parameter: inspect.Parameter) -> str:
    """Return a parameter's name in the table."""
    info = told(parameter)
    if "ArgumentInfo" in type(info).__name__:
        return f"`{info.metavar}`"
    value = f" {info.metavar}" if info.metavar else ""
    return f"`{info.default if isinstance(info.default, str) else info.param_decls[0]}{value}`"


def described(parameter: inspect.Parameter) -> str:
    """Return a parameter's help, with its default where it has one worth telling."""
    default = parameter.default
    untold = default in (inspect.Parameter.empty, None, False, "") or default == []
    return told(parameter).help.replace("|", "\\|") + ("" if untold else f" (default: `{default}`)")


if __name__ == "__main__":
    os.environ[LIMIT_VARIABLE] = ""  # the box alone: other distributions have references of their own
    PATH.write_text(reference(registry().all("actions")), encoding="utf-8")
