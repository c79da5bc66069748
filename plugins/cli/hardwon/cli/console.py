"""The person at the terminal, as the port Console: told on one stream, asked only when both ends are a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from hardwon.cli.output import print_text, show_line


class TerminalConsole:
    """Says things on `stream`; progress and questions always go to standard error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = ""

    def say(self, text: str) -> None:
        """Tell something now, in Markdown."""
        print_text(text, self._stream)

    def show(self, line: str) -> None:
        """Show one line in the place of the last one on a terminal; elsewhere, a line where it changed."""
        if self._stream.isatty():
            show_line(line, self._stream)
        elif line != self._shown:
            print_text(line, self._stream)
        self._shown = line

    @contextmanager
    def track(self, label: str, total: int) -> Iterator[Callable[[int], None]]:
        """Show a progress bar where there is a terminal, and nothing elsewhere."""
        if not sys.stderr.isatty():
            yield lambda _steps: None
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(file=sys.stderr), transient=True) as progress:
            task = progress.add_task(label, total=total)
            yield lambda steps: progress.advance(task, steps)

    def confirm(self, question: str) -> bool:
        """Ask; no answer, and an answer other than yes, is a no."""
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes", "j", "是")

    def edit(self, text: str) -> str:
        """Open the text in $VISUAL or $EDITOR and wait."""
        from hardwon.cli.editor import edited

        return edited(text)
