"""The record of a change under way: `intent.json` in the home says which commit is being made true on disk.

A commit's objects are written before anything else, so the record needs no more than its name: whoever finds the record
after a crash can finish the change from the history, and can tell our own half-written files from a person's edit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hardwon.kernel.errors import NewerFormat
from hardwon.stores.files.atomic.disk import write_whole

FILE_NAME = "intent.json"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Intent:
    """A change under way: the commit that it makes, and the one it builds on (None for the first)."""

    commit: str
    parent: str | None


def write_intent(home: Path, intent: Intent) -> None:
    """Record that this change begins. It need not survive a power cut: the files alone do."""
    plain = {"version": FORMAT_VERSION, "commit": intent.commit, "parent": intent.parent}
    write_whole(home / FILE_NAME, json.dumps(plain).encode(), durable=False)


def read_intent(home: Path) -> Intent | None:
    """Return the change that was under way when its writer ended; None for none.

    Raises NewerFormat for one of another hardwon, which is left for that one to finish.
    """
    path = home / FILE_NAME
    try:
        plain = json.loads(path.read_bytes())
        if plain["version"] != FORMAT_VERSION:
            raise NewerFormat(f"{path} was written by a newer hardwon; upgrade hardwon, nothing was touched.")
        return Intent(plain["commit"], plain["parent"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        # Written aside and renamed, it is whole or not there; anything else is not ours to act on.
        clear_intent(home)
        return None


def clear_intent(home: Path) -> None:
    """Record that no change is under way."""
    (home / FILE_NAME).unlink(missing_ok=True)
