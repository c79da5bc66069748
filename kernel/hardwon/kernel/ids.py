"""Identifiers that sort by birth and are stable for life.

A memory's id is 18 characters of Crockford's base 32 in lower case: 10 for milliseconds since 1970 (as in the ULID
specification), 8 random ones (40 bits). It is safe in file names on every system and short enough to type.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import UTC, datetime, timedelta

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [first + second for first in _DIGITS for second in _DIGITS]
_EPOCH, _MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
ID_PATTERN = re.compile(r"[0-9a-hjkmnp-tv-z]{18}")


def _base32(number: int, length: int) -> str:
    """Return the last `length` digits, two at a time."""
    digits = "".join([_PAIRS[(number >> place) & 1023] for place in range(10 * ((length - 1) // 2), -1, -10)])
    return digits[-length:]


def _birth(moment: datetime) -> str:
    """Return the characters that ids are sorted by: as a float, a moment would lose a millisecond now and then."""
    known = moment if moment.tzinfo else moment.astimezone()
    return _base32((known - _EPOCH) // _MILLISECOND, 10)


def new_id(moment: datetime) -> str:
    """Return a fresh id born at `moment`."""
    return _birth(moment) + _base32(secrets.randbits(40), 8)


def is_own_id(text: str) -> bool:
    """Tell whether a text looks like an id of a memory, and so can be nothing that anybody wrote."""
    return len(text) == 18 and ID_PATTERN.fullmatch(text) is not None


def derived_id(moment: datetime, *parts: str) -> str:
    """Return the id that `parts` always give at `moment`: what is repeated after a crash is the same thing again."""
    return _birth(moment) + fingerprint(*parts, length=8)


def fingerprint(*parts: str, length: int = 16) -> str:
    """Return `length` characters (at most 32) of base 32 that depend on every part and on their borders."""
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
    return _base32(int.from_bytes(digest[:20], "big"), length)
