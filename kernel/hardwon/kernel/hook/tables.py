"""What a harness says and wants to hear, by its table: field names and the form of answers, as data.

The adapters of harnesses with command hooks use the same functions, so that a table has one meaning
(docs/reference/hook-program.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardwon.kernel.hook.json_values import dumps

if TYPE_CHECKING:
    from hardwon.kernel.harness import HarnessEvent

SESSION_START, PROMPT, TURN_END, SESSION_END = "session-start", "prompt", "turn-end", "session-end"
PLACEHOLDER = "$text"


@dataclass(slots=True)
class Event:
    """One event of a session; the fields are those of HarnessEvent, as plain texts."""

    name: str
    """What the harness calls it."""
    moment: str
    folder: str
    session: str | None = None
    prompt: str = ""
    turns: tuple[str, ...] = ()
    transcript: str | None = None
    turn: str | None = None
    source: str = ""
    messages: Sequence[Mapping[str, Any]] = field(default_factory=list)
    """What was said, where the harness keeps no transcript."""
    is_subagent: bool = False


def event_of(table: Mapping[str, Any], payload: Mapping[str, Any]) -> Event | None:
    """Return the event of a payload, or None when it is none of ours or says too little to be one."""
    fields = table["fields"]

    def value(name: str) -> Any:
        found: Any = payload
        for part in fields[name].split(".") if fields.get(name) else ("",):
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def text(name: str) -> str:
        found = value(name)
        return found if isinstance(found, str) else ""

    def texts(name: str) -> list[Any]:
        found = value(name)
        return found if isinstance(found, list) else []

    name, folder = text("event"), text("folder")
    moment = table["events"].get(name)
    if not moment or not folder.startswith("/"):
        return None
    return Event(
        name,
        moment,
        folder,
        session=text("session") or None,
        prompt=text("prompt"),
        turns=tuple(turn for turn in texts("turns") if isinstance(turn, str)),
        transcript=text("transcript") or None,
        turn=text("turn") or None,
        source=text("source"),
        messages=[message for message in texts("messages") if isinstance(message, dict)],
        is_subagent=bool(value("subagent")),
    )


def answer(table: Mapping[str, Any], name: str, text: str) -> bytes:
    """Return what the harness wants to hear on its event `name`; nothing where there is nothing to say."""
    form = table["answers"].get(name)
    if form is None or not text:
        return b""
    return dumps(_filled(form, text)).encode("ascii")


def _filled(form: Any, text: str) -> Any:
    if form == PLACEHOLDER:
        return text
    if isinstance(form, dict):
        return {key: _filled(value, text) for key, value in form.items()}
    if isinstance(form, list):
        return [_filled(value, text) for value in form]
    return form


def read_event(table: Mapping[str, Any], payload: Mapping[str, Any]) -> HarnessEvent | None:
    """Return the event as the port HarnessAdapter gives it: for adapters' `parse`."""
    event = event_of(table, payload)
    if event is None:
        return None
    from pathlib import Path

    from hardwon.kernel.harness import HarnessEvent, HarnessMoment

    return HarnessEvent(
        moment=HarnessMoment(event.moment),
        folder=Path(event.folder),
        session=event.session,
        prompt=event.prompt,
        turns=event.turns,
        transcript=Path(event.transcript) if event.transcript else None,
        turn=event.turn,
        source=event.source,
    )
