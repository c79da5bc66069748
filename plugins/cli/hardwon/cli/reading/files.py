"""The bytes of a file that somebody wants to import, or a sentence why they cannot be read at all."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.regular_file import read_regular

LARGEST_MARKDOWN = 32 * 1024 * 1024
"""Bytes. A larger file is no notes of a person."""

_WIDE = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def file_bytes(path: Path, *, largest: int | None = None) -> bytes:
    """Return a file without its byte order mark. Raises InvalidInput when it is no file of UTF-8 text, or too large."""
    try:
        if largest is not None and path.stat().st_size > largest:
            raise InvalidInput(
                f"{shown(path)} is larger than {largest // 1024 // 1024} MB; split it and import the parts."
            )
        content = read_regular(path)
    except OSError as error:
        raise InvalidInput(
            f"{shown(path)} cannot be read ({error.strerror}); check that it is a file and that you may read it."
        ) from None
    if content.startswith(_WIDE) or _looks_wide(content):
        raise InvalidInput(f"{shown(path)} is UTF-16 or UTF-32 text; save it as UTF-8 and import it again.")
    if content.count(0) * 10 > len(content):
        raise InvalidInput(f"{shown(path)} is no text; import Markdown or JSON Lines.")
    return content.removeprefix(codecs.BOM_UTF8)


def shown(path: Path) -> str:
    """Return a path as it can be kept and told: bytes of a name that are no text become `�`."""
    return os.fsencode(path).decode("utf-8", "replace")


def _looks_wide(content: bytes) -> bool:
    """Tell UTF-16 without a mark: every other byte of its beginning is zero."""
    head = content[:200]
    return len(head) >= 4 and (not any(head[0::2]) or not any(head[1::2])) and any(head)
