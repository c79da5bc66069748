"""An event into the spool: where the turn stands, and what was said only where the harness keeps no transcript."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.hook.json_values import dumps
from hardwon.kernel.spool import FORMAT_VERSION, put

if TYPE_CHECKING:
    from hardwon.kernel.hook.tables import Event

SHOWN = "shown"
_TEXTS = ("text", "request", "tool")
_FIELDS = ("id", "by", "at", "failed")
"""What else of a message is kept: whatever more a harness sends, nobody looks through for secrets."""


def capture(home: str, harness: str, event: Event) -> None:
    """Keep that a turn or a session ended. Raises OSError when it is not kept."""
    record = _record(harness, event, event.moment)
    record["transcript"] = event.transcript
    record["size"] = _size(event.transcript)
    if event.messages and not event.transcript:
        record["messages"] = [_masked(message) for message in event.messages]
    put(home, dumps(record).encode("ascii"))


def capture_shown(home: str, harness: str, event: Event, shown: Sequence[tuple[str, str, float]]) -> None:
    """Keep what recall showed (id, via, score), for `why`; never the prompt. Raises OSError when it is not kept.

    Where the harness names no session there is none that `why` could tell of.
    """
    if not event.session:
        return
    record = _record(harness, event, SHOWN)
    record["prompt_turn"] = event.turn
    record["lexical"] = True
    record["shown"] = [[id, via, round(score, 4)] for id, via, score in shown]
    put(home, dumps(record).encode("ascii"))


def _record(harness: str, event: Event, moment: str) -> dict[str, Any]:
    return {
        "format": FORMAT_VERSION,
        "harness": harness,
        "moment": moment,
        "session": event.session or event.transcript,
        "folder": event.folder,
        "turn": event.turn,
        "at": time.time(),
    }


def _size(transcript: str | None) -> int | None:
    try:
        return os.stat(transcript).st_size if transcript else None
    except OSError:
        return None


def _masked(message: Mapping[str, Any]) -> dict[str, Any]:
    from hardwon.kernel.secrets import mask_known, without_private

    masked = {name: mask_known(without_private(message[name])) for name in _TEXTS if isinstance(message.get(name), str)}
    return {name: message[name] for name in _FIELDS if name in message} | masked
