"""What goes to the terminal: Markdown for people, one JSON value for programs, in any locale.

Memories hold other people's words. Control characters in them could move the cursor or change the terminal's settings,
so none is printed.
"""

from __future__ import annotations

import dataclasses
import io
import re
import sys
from pathlib import PurePath
from typing import Any, TextIO

# C0 without tab, line feed and carriage return; DEL; C1; surrogates without a partner.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def be_lenient(*streams: TextIO) -> None:
    """Let streams replace what their encoding cannot write, instead of failing half way."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_text(text: str, stream: TextIO, *, verbatim: bool = False) -> None:
    """Print Markdown: rendered on a terminal, as it stands elsewhere or when it is to be verbatim."""
    if not text:
        return
    safe = _CONTROL.sub("\ufffd", text)
    if verbatim or not stream.isatty():
        stream.write(safe if safe.endswith("\n") else safe + "\n")
    else:
        from rich.console import Console
        from rich.markdown import Markdown

        Console(file=stream).print(Markdown(safe))
    stream.flush()


def show_line(line: str, stream: TextIO) -> None:
    """Write one line over the one that stands there on a terminal, cut to its width, without its Markdown."""
    import shutil

    from rich.cells import set_cell_size

    safe = _CONTROL.sub("\ufffd", " ".join(line.replace("`", "").split()))
    stream.write(f"\r\x1b[2K{set_cell_size(safe, shutil.get_terminal_size().columns - 1).rstrip()}")
    stream.flush()


def print_json(value: Any, stream: TextIO) -> None:
    """Print one JSON value, always in UTF-8 (RFC 8259)."""
    import json

    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")
    stream.write(json.dumps(value, ensure_ascii=False, indent=2, default=_plain) + "\n")
    stream.flush()


def complain(sentence: str) -> None:
    """Print one line on standard error."""
    sys.stderr.write(f"hardwon: {_CONTROL.sub(' ', ' '.join(sentence.split()))}\n")
    sys.stderr.flush()


def _plain(value: Any) -> Any:
    """Return a value as JSON knows it. Raises TypeError for what has no such form."""
    from datetime import date

    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, PurePath):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
