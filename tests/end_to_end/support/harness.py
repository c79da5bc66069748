"""A harness under test: how its program is configured, asked and read; each of them stands in a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from support.fake_models.wire import Wire
from support.programs import Program
from support.workplace import Finished, Workplace


class Harness(Protocol):
    """One coding agent with a command line."""

    @property
    def name(self) -> str:
        """Return what hardwon calls it."""
        ...

    @property
    def program(self) -> Program:
        """Return the program that npm installs."""
        ...

    @property
    def wire(self) -> Wire:
        """Return the protocol that it speaks with its model."""
        ...

    def settings(self, model: str) -> Mapping[str, str]:
        """Return what the user has in their settings, by file below HOME; the model is at that URL."""
        ...

    def environment(self, model: str) -> Mapping[str, str]:
        """Return the variables that the user has set."""
        ...

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """Have one turn in a session of this folder, a new one or the last one again."""
        ...

    def without_own_rows(self, name: str, text: str) -> str:
        """Return the text of a settings file without what the harness itself wrote into it meanwhile."""
        ...
