"""The text of the hook program: the launcher, and below it every module that it carries."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterable
from pathlib import Path

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.use_cases.hook_source import PATTERNS, imported_modules, plain_source

LAUNCHER = "hardwon.kernel.hook.launcher"
START = "hardwon.kernel.hook.program"
NOT_CARRIED = frozenset({"hardwon.kernel.harness"})
"""What only callers outside of the hook program reach."""


def assembled(store_modules: Iterable[str]) -> str:
    """Return the text of the hook program."""
    parts = [
        f'"{name}": {_quoted(text)},\n' for name, text in _plain_modules([START, PATTERNS, *store_modules]).items()
    ]
    launcher = _source(LAUNCHER)
    why = ast.get_docstring(ast.parse(launcher), clean=False)
    return f'#!/usr/bin/env python3\n"""{why}"""\n\n{plain_source(LAUNCHER, launcher)}\nrun({{\n{"".join(parts)}}})\n'


def _plain_modules(names: list[str]) -> dict[str, str]:
    """Return the texts of modules and of those of ours that they import, by name."""
    found: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in found and name not in NOT_CARRIED:
            found[name] = plain_source(name, _source(name))
            waiting += imported_modules(found[name])
    return found


def _source(name: str) -> str:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise InvalidInput(f"The hook program's module {name} is not installed; install hardwon again.")
    return Path(spec.origin).read_text(encoding="utf-8")


def _quoted(text: str) -> str:
    """Return a text as a literal that a person can read."""
    return repr(text) if "'''" in text or text.endswith("\\") else f"r'''\n{text}'''"
