"""The status line of long work: written over on a terminal, a line for each change elsewhere."""

from __future__ import annotations

import io

import pytest

from hardwon.cli.console import TerminalConsole


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_one_line_is_written_over_and_cut_to_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Chinese character takes two columns; what could move the cursor is not written."""
    monkeypatch.setenv("COLUMNS", "10")
    stream = Terminal()
    console = TerminalConsole(stream)
    console.show("`记忆` \x1b[31m in a line\nthat is long")
    console.show("short")
    assert stream.getvalue() == "\r\x1b[2K记忆 \ufffd[31\r\x1b[2Kshort"


def test_elsewhere_each_change_is_a_line() -> None:
    stream = io.StringIO()
    console = TerminalConsole(stream)
    for line in ("waits", "waits", "works", ""):
        console.show(line)
    assert stream.getvalue() == "waits\nworks\n"
