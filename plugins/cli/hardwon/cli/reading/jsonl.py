"""Reads JSON Lines in the import format (docs/reference/formats.md): a bad line is told, the rest is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from hardwon.cli.reading.files import file_bytes, shown
from hardwon.cli.reading.transcripts import refuse_transcript
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.import_format import memory_of
from hardwon.kernel.records import Problem
from hardwon.kernel.text import clean

SUFFIXES = (".jsonl", ".ndjson")

_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)


class JsonLinesReader:
    """A record a line. A record is checked here, so that what is wrong with it is told with its line."""

    def accepts(self, path: Path) -> bool:
        """Tell whether a file is JSON Lines, by its ending."""
        return path.suffix.lower() in SUFFIXES

    def read(self, path: Path) -> Iterator[Mapping[str, Any] | Problem]:
        """Walk the records and problems. Raises InvalidInput when the file as a whole cannot be taken."""
        content = file_bytes(path)
        _refuse_one_document(path, content)
        refuse_transcript(path, content)
        for number, line in enumerate(content.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                record = {**(given := _record(line)), "source": _source(given, path, number)}
                memory_of(record, project=None, now=_ANY_TIME)
            except InvalidInput as error:
                yield Problem(where=f"{shown(path)}:{number}", what=str(error))
            else:
                yield record


def _record(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise InvalidInput("This line is no UTF-8 text; save it as UTF-8.") from None
    except RecursionError:
        raise InvalidInput("This line is nested too deeply; flatten it.") from None
    except ValueError as error:
        raise InvalidInput(_sentence(error)) from None
    if not isinstance(record, dict):
        raise InvalidInput("This line is no JSON object; write {“content”: …} on it.")
    return _storable(record) if b"\\u" in line else record


def _sentence(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
        return f"This line holds more than one JSON value (from column {error.colno}); put each on a line of its own."
    if isinstance(error, json.JSONDecodeError):
        return f"This line is no JSON ({error.msg}, column {error.colno}); mend it."
    return f"This line is no JSON ({str(error).partition(';')[0]}); mend it."


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _storable(value: Any) -> Any:
    """Return a value whose texts hold nothing that no store can keep, such as half of a surrogate pair."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_storable(each) for each in value]
    if isinstance(value, dict):
        return {clean(name): _storable(each) for name, each in value.items()}
    return value


def _source(record: Mapping[str, Any], path: Path, number: int) -> Any:
    """Return where a record comes from: what it says itself, else this line."""
    given = record.get("source")
    here = {"file": shown(path), "line": number}
    if given is None or given == "":
        return here
    if isinstance(given, str):
        return {"url": given, **here} if "://" in given else given
    return given if not isinstance(given, Mapping) or given.get("file") else {**given, **here}


def _refuse_one_document(path: Path, content: bytes) -> None:
    """Raise InvalidInput for a JSON document over several lines: telling each of its lines would tell nothing."""
    first = content.lstrip().split(b"\n", 1)[0].strip()
    if first not in (b"{", b"["):
        return
    try:
        json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return
    raise InvalidInput(f"{shown(path)} is one JSON document, not JSON Lines; write each record on one line.")
