"""Actions: what a user can do, as plain functions. An access (command line, MCP, HTTP) turns each into its own form.

An action's function takes the home first, then parameters whose annotations carry their help:

    def forget(home: Home, id: Annotated[str, "the memory's id"], *, yes: Annotated[bool, "do not ask"] = False)

Positional parameters are arguments, keyword-only ones are options. The docstring's first line is the summary. It
returns a Report; it raises a HardwonError for a stated failure. This module is standard library alone, so that listing
all actions costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Report:
    """What an action did: data for programs, Markdown for people."""

    data: Any
    """JSON-able: dicts, lists, strings, numbers, booleans, None, pydantic values, dates."""
    text: str
    failed: bool = False
    """True: the rest was done, but something could not be taken; exit code 1."""
    verbatim: bool = False
    """True: the text is no Markdown and is shown character by character."""


@dataclass(frozen=True)
class Action:
    """One thing a user can do."""

    run: Callable[..., Report]
    example: str
    """A command line without the program's name; words in capitals, such as ID, stand for the user's own."""
    reads_only: bool = False
    narrates: bool = False
    """True: what it says on the console while it runs is its output, not a message beside it."""
