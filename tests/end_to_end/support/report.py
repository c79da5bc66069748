"""A line for each statement: PASS, FAIL or INFO; the exit code says whether any failed."""

from __future__ import annotations

import sys
import time

LONGEST_DETAIL = 400
SKIPPED = 77
"""Exit code of a script that cannot run here; its last line says why (automake's convention)."""


class Report:
    """The lines of one script."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.passed: list[str] = []
        self.failed: list[str] = []
        self._started = time.monotonic()

    def check(self, statement: str, holds: object, detail: object = "") -> bool:
        """Say whether a statement holds, with what was seen; return whether it does."""
        good = bool(holds)
        (self.passed if good else self.failed).append(statement)
        self._line("PASS" if good else "FAIL", statement, detail)
        return good

    def info(self, statement: str, detail: object = "") -> None:
        """Tell what was seen, where nothing is promised."""
        self._line("INFO", statement, detail)

    def skip(self, reason: str) -> int:
        """Say why the script cannot run here; return the exit code for it."""
        self._line("SKIP", self.title, reason)
        return SKIPPED

    def end(self) -> int:
        """Say how many statements held; return the exit code."""
        seconds = time.monotonic() - self._started
        counts = f"{len(self.passed)} passed, {len(self.failed)} failed, {seconds:.0f} s"
        self._line("PASS" if not self.failed else "FAIL", f"{self.title}: {counts}", "")
        return 1 if self.failed else 0

    def _line(self, word: str, statement: str, detail: object) -> None:
        shown = " ".join(str(detail).split())
        if len(shown) > LONGEST_DETAIL:
            shown = shown[:LONGEST_DETAIL] + "…"
        print(f"{word} {statement}" + (f" [{shown}]" if shown else ""), flush=True, file=sys.stdout)
