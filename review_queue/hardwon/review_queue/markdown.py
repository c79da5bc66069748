"""Texts of others within a document of ours: none of them is taken for Markdown or for our own syntax."""

from __future__ import annotations

import re


def lines_ended_alike(text: str) -> str:
    """Return a text with line feeds alone."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def quoted(text: str) -> str:
    """Return a text as a block of quotation."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def line(text: str) -> str:
    """Fold a text into one line in which nothing is taken for Markdown's or our own syntax."""
    return " ".join(inert(text).split()).replace("|", "\\|")


def inert(text: str) -> str:
    """Keep a text from opening a heading or a comment of its own."""
    return re.sub(r"^(\s*)(#|---|<!--)", r"\1\\\2", text.replace("<!--", "<\\!--"), flags=re.MULTILINE)
