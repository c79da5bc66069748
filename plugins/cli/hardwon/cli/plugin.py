"""What the command line brings to hardwon: the commands that belong to no other part, and readers of lesson files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.cli.late_reader import LateReader
from hardwon.kernel.hookspecs import Register, hookimpl

if TYPE_CHECKING:
    from hardwon.kernel.ports import LessonReader


@hookimpl
def register_actions(register: Register) -> None:
    """Offer the commands of the box."""
    from hardwon.cli.catalogue import ACTIONS

    for name, action in ACTIONS.items():
        register(name, action)


@hookimpl
def register_readers(register: Register) -> None:
    """Offer the readers of lesson files; the first one that accepts a file takes it."""
    register("jsonl", LateReader(_json_lines))
    register("markdown", LateReader(_markdown))


def _json_lines() -> LessonReader:
    from hardwon.cli.reading.jsonl import JsonLinesReader

    return JsonLinesReader()


def _markdown() -> LessonReader:
    from hardwon.cli.reading.markdown import MarkdownReader

    return MarkdownReader()
