"""Reads the JSON values of a transcript, whatever happened to the file.

A harness writes one object a line, and yet real files hold two objects on one line, one object over many lines, cut
lines, runs of NUL bytes where the power went, and a last line that is being written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon.kernel.records import Problem, Skipped
from hardwon.kernel.regular_file import open_regular

LARGEST_LINE = 64_000_000
"""Bytes. Pasted screenshots make lines of 30 MB; beyond this a line is passed over unread."""
_DECODER = json.JSONDecoder()
_BETWEEN = " \t\r\n\0\x1e\ufeff"
"""What may stand between two values: white space, the NULs of a crash, a record separator, a BOM."""


def json_rows(path: Path) -> Iterator[Mapping[str, Any] | Problem]:
    """Walk the objects of a file in order; what is no object is a Problem, an unfinished last line is Skipped.

    Raises OSError when the file cannot be read.
    """
    with open_regular(path) as file:
        for number, line in enumerate(_lines(file), 1):
            if isinstance(line, int):
                yield Problem(where=f"{path}:{number}", what=f"A line of {line} bytes was passed over; it is too long.")
            elif number == 1 and _is_opened(line):
                file.seek(0)
                yield from _values(file.read(LARGEST_LINE).decode("utf-8", "replace"), f"{path}:1", whole=True)
                return
            else:
                yield from _values(line.decode("utf-8", "replace"), f"{path}:{number}", whole=line.endswith(b"\n"))


def _lines(file: Any) -> Iterator[bytes | int]:
    """Walk the lines; of one that is too long, its length."""
    while line := file.readline(LARGEST_LINE):
        if line.endswith(b"\n") or len(line) < LARGEST_LINE:
            yield line
            continue
        length = len(line)
        while not line.endswith(b"\n") and (line := file.readline(LARGEST_LINE)):
            length += len(line)
        yield length


def _is_opened(line: bytes) -> bool:
    """Tell whether a first line only opens an object or a list: one indented document, whatever the file's name."""
    return line.decode("utf-8", "replace").strip(_BETWEEN) in ("{", "[")


def _values(text: str, where: str, *, whole: bool) -> Iterator[Mapping[str, Any] | Problem]:
    """Walk the objects that stand one after the other in a text, until the first that cannot be read."""
    place = 0
    while (place := _next_value(text, place)) < len(text):
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            if whole:
                yield Problem(where=where, what="This is no valid JSON; the rest of the line was passed over.")
            else:
                yield Skipped(where=where, what="The last line is not finished; it is read when it is.")
            return
        if isinstance(value, dict):
            yield value
        else:
            yield Problem(where=where, what=f"A row is a JSON object, and this is {json.dumps(value)[:40]}.")


def _next_value(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BETWEEN:
        place += 1
    return place
