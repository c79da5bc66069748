"""The text of the hook program: the launcher, and below it every module that it carries."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.hook.data import stamp_of
from hardwon.kernel.use_cases.hook_source import PATTERNS, imported_modules, plain_source

LAUNCHER = "hardwon.kernel.hook.launcher"
START = "hardwon.kernel.hook.program"
NOT_CARRIED = frozenset({"hardwon.kernel.harness"})
"""What only callers outside of the hook program reach."""


@dataclass(frozen=True)
class Assembled:
    """The hook program, and what it was made of."""

    text: str
    stamps: Mapping[str, Mapping[str, int] | None]
    """By module: its file's time and size."""


def assembled(store_modules: Iterable[str]) -> Assembled:
    """Return the hook program with a store's half. Raises InvalidInput where a module is not installed."""
    modules = _plain_modules([START, PATTERNS, *store_modules])
    parts = [f'"{name}": {_quoted(text)},\n' for name, text in modules.items()]
    launcher = _origin(LAUNCHER).read_text(encoding="utf-8")
    why = ast.get_docstring(ast.parse(launcher), clean=False)
    top = f'#!/usr/bin/env python3\n"""{why}"""\n\n{plain_source(LAUNCHER, launcher)}'
    return Assembled(f"{top}\nrun({{\n{''.join(parts)}}})\n", stamps_of([LAUNCHER, *modules]))


def stamps_of(modules: Iterable[str]) -> dict[str, dict[str, int] | None]:
    """Return what tells the versions of modules from others. Raises InvalidInput where one is not installed."""
    return {name: stamp_of(str(_origin(name))) for name in modules}


def _plain_modules(names: list[str]) -> dict[str, str]:
    """Return the texts of modules and of those of ours that they import, by name."""
    found: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in found and name not in NOT_CARRIED:
            found[name] = plain_source(name, _origin(name).read_text(encoding="utf-8"))
            waiting += imported_modules(found[name])
    return found


def _origin(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise InvalidInput(f"The hook program's module {name} is not installed; install hardwon again.")
    return Path(spec.origin)


def _quoted(text: str) -> str:
    """Return a text as a literal that a person can read."""
    return repr(text) if "'''" in text or text.endswith("\\") else f"r'''\n{text}'''"
