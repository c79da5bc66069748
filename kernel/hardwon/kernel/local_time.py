"""The zone of local time, as the machine or the environment names it: asked anew each time, since both may change.

`$TZ` names a zone or a file, as for every program; without it, /etc/localtime is the zone. A long-lived process that
asked the C library would keep the zone that it was started in. Where neither can be read, the offset of now stands in.
"""

from __future__ import annotations

import os
from datetime import datetime, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LOCAL_TIME = Path("/etc/localtime")


def local_zone() -> tzinfo:
    """Return the zone of local time."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if named and not named.startswith("/"):
        return _named(named)
    return _in_file(Path(named) if named else LOCAL_TIME)


def _named(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return _of_now()


def _in_file(path: Path) -> tzinfo:
    try:
        found = path.stat()
        return _read(str(path.resolve()), found.st_mtime_ns, found.st_ino)
    except (OSError, ValueError):
        return _of_now()


@lru_cache(maxsize=4)
def _read(path: str, _changed: int, _file: int) -> ZoneInfo:
    """Read a zone's file; another time of change, or another file, is another zone."""
    with Path(path).open("rb") as file:
        return ZoneInfo.from_file(file, key=path)


def _of_now() -> tzinfo:
    zone = datetime.now().astimezone().tzinfo
    assert zone is not None
    return zone
