"""What is printed is safe for any terminal and readable by any program."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from hardwon.cli.console import TerminalConsole
from hardwon.cli.output import be_lenient, complain, print_json, print_text
from hardwon.kernel.scope import Scope


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def encoded(encoding: str) -> tuple[io.BytesIO, io.TextIOWrapper]:
    """Return the bytes that a stream of an encoding writes, and the stream."""
    taken = io.BytesIO()
    return taken, io.TextIOWrapper(taken, encoding=encoding, errors="strict")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_memory_cannot_command_the_terminal(terminal: bool) -> None:
    """Escape sequences in a memory's words are shown as a sign, in both forms of output."""
    stream = Terminal() if terminal else io.StringIO()
    print_text("before \x1b[2J\x1b]0;title\x07 \x9b1m after", stream)
    assert "[2J" in stream.getvalue()
    assert not set("\x07\x9b") & set(stream.getvalue())
    assert "\x1b[2J" not in stream.getvalue()
    assert "\x1b]0" not in stream.getvalue()


def test_markdown_is_rendered_on_a_terminal_unless_verbatim() -> None:
    """A list item gets a bullet; verbatim text stays as it is."""
    rendered, verbatim = Terminal(), Terminal()
    print_text("- item", rendered)
    print_text("- item", verbatim, verbatim=True)
    assert "•" in rendered.getvalue()
    assert verbatim.getvalue() == "- item\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk", "cp1252"])
def test_no_encoding_of_the_console_stops_the_output(encoding: str) -> None:
    """What it cannot show becomes a question mark."""
    taken, stream = encoded(encoding)
    be_lenient(stream)
    print_text("规则 🦀 é \ud800", stream)
    assert taken.getvalue().endswith(b"\n")


def test_json_is_utf8_whatever_the_console() -> None:
    """Without escapes, so that people can read it too."""
    taken, stream = encoded("ascii")
    print_json({"规则": "🦀"}, stream)
    assert json.loads(taken.getvalue().decode("utf-8")) == {"规则": "🦀"}
    assert "规则" in taken.getvalue().decode("utf-8")


def test_values_of_the_kernel_are_json() -> None:
    """Models, dates, paths and dataclasses, at any depth."""

    @dataclass
    class Pair:
        left: object
        right: object

    stream = io.StringIO()
    print_json([Scope(project="p"), Pair(datetime(2026, 1, 2, tzinfo=UTC), date(2026, 1, 2)), (Path("/a"),)], stream)
    model, pair, paths = json.loads(stream.getvalue())
    assert model["project"] == "p"
    assert pair == {"left": "2026-01-02T00:00:00+00:00", "right": "2026-01-02"}
    assert paths == ["/a"]


def test_what_has_no_form_in_json_is_a_mistake_of_ours() -> None:
    """It is not written as something else."""
    with pytest.raises(TypeError):
        print_json(object(), io.StringIO())


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is in it."""
    complain("first\nsecond \x1b[0m")
    assert capsys.readouterr().err.count("\n") == 1


def test_nobody_is_asked_where_nobody_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that cannot be answered is a no."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert TerminalConsole(io.StringIO()).confirm("Really?") is False


@pytest.mark.parametrize(
    ("typed", "answer"), [("y\n", True), ("YES\n", True), ("是\n", True), ("\n", False), ("", False)]
)
def test_only_a_yes_is_a_yes(monkeypatch: pytest.MonkeyPatch, typed: str, answer: bool) -> None:
    """On a terminal."""
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    monkeypatch.setattr("sys.stderr", Terminal())
    assert TerminalConsole(io.StringIO()).confirm("Really?") is answer


def test_progress_needs_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is none, nothing is printed and the work goes on."""
    with TerminalConsole(io.StringIO()).track("Working", 3) as advance:
        advance(3)
    assert capsys.readouterr() == ("", "")
