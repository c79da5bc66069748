"""What the command line brings to hardwon: the commands that belong to no other part."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl


@hookimpl
def register_actions(register: Register) -> None:
    """Offer the commands of the box."""
    from hardwon.cli.catalogue import ACTIONS

    for name, action in ACTIONS.items():
        register(name, action)


@hookimpl
def register_readers(register: Register) -> None:
    """Offer the readers of lesson files; the first one that accepts a file takes it."""
    from hardwon.cli.reading.jsonl import JsonLinesReader
    from hardwon.cli.reading.markdown import MarkdownReader

    register("jsonl", JsonLinesReader())
    register("markdown", MarkdownReader())
