"""One JSON value from standard input, as soon as it is whole: a harness may never close it, or write byte by byte."""

from __future__ import annotations

import os
from typing import Any

from hardwon.kernel.hook.json_values import first_value

AT_ONCE = 1 << 16
LARGEST = 1 << 26
"""Bytes; what is larger is no event."""
QUIET = 0.02
"""Seconds of silence after which a value is looked for in what came, whatever the last byte is."""
_SPACES = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_object(descriptor: int) -> dict[str, Any] | None:
    """Return the first value if it is an object, else None; what follows it is left alone.

    Bytes that are no UTF-8 become U+FFFD: a broken name in a payload loses no event.
    """
    data = bytearray()
    worth_trying = 0
    while len(data) <= LARGEST:
        looks_whole = len(data) >= worth_trying and data[-64:].rstrip(_SPACES).endswith(b"}")
        if looks_whole or (data and _is_quiet(descriptor)):
            value = _value(data)
            if value is not None:
                return value
            worth_trying = 2 * len(data)  # else a large value whose chunks end like a whole one is read for ever
        chunk = os.read(descriptor, AT_ONCE)
        if not chunk:
            return _value(data)
        data += chunk
        if not _can_be_object(data):
            return None
    return None


def _can_be_object(data: bytearray) -> bool:
    start = data[:64].removeprefix(_BYTE_ORDER_MARK).lstrip(_SPACES)
    return not start or start.startswith(b"{") or _BYTE_ORDER_MARK.startswith(start)


def _value(data: bytearray) -> dict[str, Any] | None:
    text = data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace")
    try:
        value, _ = first_value(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _is_quiet(descriptor: int) -> bool:
    """Tell whether nothing more comes for now."""
    import select

    return not select.select([descriptor], [], [], QUIET)[0]
