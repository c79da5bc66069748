"""Sets values in `config.toml` as text: every other byte stays, a person's comments first of all (decision 0021)."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.regular_file import read_regular
from hardwon.kernel.settings import FILE_NAME
from hardwon.kernel.whole_file import write_whole

Key = tuple[str, ...]
"""The tables and the name of a setting, such as `("postgres", "url")`."""
_HEADER = re.compile(r"^\s*\[")


def set_values(home: Path, values: Mapping[Key, str]) -> None:
    """Write values into the settings of a home. Raises InvalidInput, changing nothing, where that takes a person."""
    path = home / FILE_NAME
    text = with_values(home, values)
    # A link into a folder of dotfiles stays one.
    write_whole(path.resolve(), text.encode("utf-8"), durable=True)


def with_values(home: Path, values: Mapping[Key, str]) -> str:
    """Return the settings of a home with these values, as they would be written. Raises InvalidInput."""
    path = home / FILE_NAME
    try:
        # Line ends as they are: a file from Windows stays one.
        text = read_regular(path).decode("utf-8") if path.exists() else ""
        wanted = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); mend it first.") from None
    try:
        for key, value in values.items():
            text = _with_value(text, key, value)
            _put(wanted, key, value)
        is_as_wanted = tomllib.loads(text) == wanted
    except (ValueError, TypeError):
        is_as_wanted = False
    if not is_as_wanted:
        lines = "; ".join(f"{'.'.join(key)} = {_quoted(value)}" for key, value in values.items())
        raise InvalidInput(f"{path} is written in a way that only a person can edit; write {lines} into it yourself.")
    return text


def _put(wanted: dict[str, Any], key: Key, value: str) -> None:
    table = wanted
    for name in key[:-1]:
        table[name] = copy.copy(table.get(name, {}))
        table = table[name]
    table[key[-1]] = value


def _with_value(text: str, key: Key, value: str) -> str:
    """Set one value, in the place of the old one or at the end of its table."""
    lines = text.splitlines(keepends=True)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    first, last = _table(lines, key[:-1])
    if first is None:
        before = [] if not lines else [*_ended(lines, end), end]
        return "".join([*before, f"[{'.'.join(key[:-1])}]{end}", f"{key[-1]} = {_quoted(value)}{end}"])
    old = re.compile(rf"^(\s*{re.escape(key[-1])}\s*=\s*)(\"(?:[^\"\\]|\\.)*\"|'[^']*')(\s*(?:#.*)?)$")
    for number in range(first, last):
        found = old.match(lines[number].rstrip("\r\n"))
        if found:
            ending = lines[number][len(lines[number].rstrip("\r\n")) :]
            lines[number] = f"{found[1]}{_quoted(value)}{found[3]}{ending}"
            return "".join(lines)
    place = max((number + 1 for number in range(first, last) if _is_setting(lines[number])), default=first)
    lines = [*_ended(lines[:place], end), f"{key[-1]} = {_quoted(value)}{end}", *lines[place:]]
    return "".join(lines)


def _table(lines: list[str], name: Key) -> tuple[int | None, int]:
    """Return the lines between which a table's settings stand; None where it has no header."""
    headers = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    if not name:
        return 0, headers[0] if headers else len(lines)
    wanted = re.compile(rf"^\s*\[\s*{re.escape('.'.join(name))}\s*\]\s*(?:#.*)?$")
    for place, number in enumerate(headers):
        if wanted.match(lines[number].rstrip("\r\n")):
            return number + 1, headers[place + 1] if place + 1 < len(headers) else len(lines)
    return None, 0


def _is_setting(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _ended(lines: list[str], end: str) -> list[str]:
    """Return lines of which the last one has an end, too."""
    return [*lines[:-1], lines[-1].rstrip("\r\n") + end] if lines else []


def _quoted(text: str) -> str:
    """Return a TOML string: JSON's form, and DEL escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
