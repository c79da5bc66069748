"""The spool: events captured and not yet taken, a maildir below the home.

A record is written aside and renamed in, so that it is there whole or not at all; whoever takes it removes it once what
came of it is committed. Nothing here takes a lock, and nothing needs more than `os`: the hook program waits for it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

FOLDER = "spool"
FORMAT_VERSION = 1
"""Of a record: a JSON object; its fields stand in docs/reference/formats.md."""
ENDING = ".json"


def put(home: str, record: bytes) -> str:
    """Keep one record; return its name. Raises OSError when it is not kept."""
    folder = f"{home}/{FOLDER}"
    name = f"{time.time_ns():020d}-{os.getpid()}-{os.urandom(4).hex()}"
    aside = f"{folder}/.{name}"
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileNotFoundError:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        left = memoryview(record)
        while left:
            left = left[os.write(descriptor, left) :]
        os.rename(aside, f"{folder}/{name}{ENDING}")
    except OSError:  # a full disk
        os.unlink(aside)
        raise
    finally:
        os.close(descriptor)
    return name + ENDING


def waiting(home: str, folder: str = FOLDER) -> list[str]:
    """Return the names of the records, oldest first; folders, pipes and links to nowhere are none."""
    try:
        entries = os.scandir(f"{home}/{folder}")
    except FileNotFoundError:
        return []
    with entries:
        return sorted(
            entry.name
            for entry in entries
            if entry.name.endswith(ENDING) and not entry.name.startswith(".") and entry.is_file()
        )


def read(home: str, names: list[str], folder: str = FOLDER) -> Iterator[tuple[str, bytes]]:
    """Walk the records of these names; one that somebody else took meanwhile, or nobody may read, is passed over."""
    for name in names:
        try:
            with open(f"{home}/{folder}/{name}", "rb") as file:
                data = file.read()
        except OSError:
            continue
        yield name, data


def remove(home: str, names: list[str], folder: str = FOLDER) -> None:
    """Take records out: what came of them is committed."""
    for name in names:
        try:
            os.unlink(f"{home}/{folder}/{name}")
        except FileNotFoundError:
            continue
