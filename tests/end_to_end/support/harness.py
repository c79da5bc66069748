"""A harness under test: how its program is configured, asked and read; each of them stands in a file of its own."""

from __future__ import annotations

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

    def configure(self, place: Workplace, model: str) -> None:
        """Write what a user has in their settings before hardwon comes, and where the model is: its URL."""
        ...

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """Have one turn in a session of this folder, a new one or the last one again."""
        ...

    def settle(self, place: Workplace) -> None:
        """Do after `setup` what only the user may do."""
        ...
