"""The memory under test, spoken to as a user does: by the installed `hardwon` command."""

from __future__ import annotations

import json
import sys
import sysconfig
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.workplace import LOOK_AGAIN, Finished, Workplace

TAKE_LIMIT = 60.0
"""Seconds in which the background worker has to take what was captured."""


class Memory:
    """One home of hardwon in a workplace, where the platform puts it."""

    def __init__(self, place: Workplace) -> None:
        self.place = place
        self.program = Path(sysconfig.get_path("scripts")) / "hardwon"
        kept = "Library/Application Support" if sys.platform == "darwin" else ".local/share"
        self.home = place.home / kept / "hardwon"
        self.home.parent.mkdir(parents=True, exist_ok=True)

    def command(self, *arguments: str, folder: Path | None = None) -> Finished:
        """Run `hardwon` with these arguments."""
        return self.place.run([str(self.program), *arguments], folder)

    def json(self, *arguments: str, folder: Path | None = None) -> Any:
        """Run `hardwon` and return what it answers as JSON. Raises AssertionError with what it said instead."""
        finished = self.command(*arguments, "--json", folder=folder)
        try:
            return json.loads(finished.output)
        except ValueError:
            raise AssertionError(f"hardwon {' '.join(arguments)} gave no JSON: {finished.said}") from None

    def wait(self) -> float:
        """Wait until all that was captured is taken and nothing runs any more; return the seconds.

        Raises TimeoutError when something is still left after TAKE_LIMIT.
        """
        started = time.monotonic()
        while True:
            self.place.wait_for_background()
            if not self.waiting():
                return time.monotonic() - started
            if time.monotonic() - started > TAKE_LIMIT:
                raise TimeoutError(f"{len(self.waiting())} captured events are not taken, and nothing is at work")
            time.sleep(LOOK_AGAIN)

    def waiting(self) -> list[Path]:
        """Return the captured events that nobody took yet."""
        return sorted((self.home / "spool").glob("[!.]*.json"))

    def memories(self, *words: str) -> list[Mapping[str, Any]]:
        """Return the memories of every status whose content or lesson holds all these words."""
        rows = map(json.loads, self.command("export").output.splitlines())
        kept = [row for row in rows if row.get("type") == "memory"]
        return [row for row in kept if all(word in json.dumps(row, ensure_ascii=False) for word in words)]
