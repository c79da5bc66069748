"""The turns that records of the spool tell of: read from a transcript, or from what the records hold themselves."""

from __future__ import annotations

import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.clock import parse_time
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.records import Problem
from hardwon.kernel.session import LONGEST_REQUEST, LONGEST_RESULT, Message, Speaker, Turn
from hardwon.kernel.use_cases.spooled import Record, load

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import HarnessAdapter

_FIRST_WORD, _LAST_WORD = r"\A\S{0,400}\s", r"\s\S{0,400}\Z"
READING = "reading"
"""The folder of the spool for beginnings of transcripts that grow while they are read."""


@dataclass
class SessionTurns:
    """What was read of a session."""

    turns: list[Turn] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    file: str | None = None
    """The transcript."""


def turns_of(home: Home, records: Sequence[Record]) -> SessionTurns:
    """Return the turns of one session.

    Raises FileNotFoundError where its transcript is gone, InvalidInput where it is no file, OSError, PluginError.
    """
    telling = [record for record in records if record.transcript]
    if telling:
        return _from_transcript(home, telling[-1])
    return SessionTurns(_from_messages(home, [record for record in records if record.has_messages]))


def _from_transcript(home: Home, record: Record) -> SessionTurns:
    """Read a transcript as far as it was written when the event came: what stands behind that may be half a turn."""
    assert record.transcript is not None
    adapter: HarnessAdapter = home.registry.get("harnesses", record.harness)
    read = SessionTurns(file=str(record.transcript))
    everybody: list[Turn] = []
    require_file(record.transcript)
    with _beginning(home, record.transcript, record.size) as path:
        for each in adapter.read(path):
            if isinstance(each, Problem):
                read.problems.append(each)
            else:
                everybody.append(each)
    # A resumed session's file may hold rows of the one before, which has a file of its own.
    own = [turn for turn in everybody if turn.session == record.session] or everybody
    read.turns = [replace(turn, folder=turn.folder or record.working_folder) for turn in own]
    return read


def require_file(transcript: Path) -> None:
    """Raise InvalidInput for a device or a pipe, whose end never comes; FileNotFoundError where nothing is there."""
    if not stat.S_ISREG(transcript.stat().st_mode):
        raise InvalidInput(f"{transcript} is no file; give a transcript that is one.")


@contextmanager
def _beginning(home: Home, transcript: Path, size: int | None) -> Iterator[Path]:
    """Yield a file that holds the first bytes of a transcript under its name; the transcript itself if that is all."""
    if size is None or transcript.stat().st_size <= size:
        yield transcript
        return
    folder = home.path / "spool" / READING
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as aside:
        path = Path(aside) / transcript.name
        with transcript.open("rb") as source, path.open("wb") as target:
            left = size
            while left and (data := source.read(min(left, 1 << 20))):
                target.write(data)
                left -= len(data)
        yield path


def clear_readings(home: Path) -> None:
    """Remove what a process that was killed left; only for whoever holds the lock of the capture."""
    shutil.rmtree(home / "spool" / READING, ignore_errors=True)


def _from_messages(home: Home, records: Sequence[Record]) -> list[Turn]:
    """Make turns of what records hold: a person's words begin one, what is told twice counts once."""
    turns: dict[str, list[Message]] = {}
    owners: dict[str, Record] = {}
    turn_of: dict[str, str] = {}
    for record in records:
        current = record.turn or record.name
        for message in _messages(home, record):
            current = turn_of.get(message.id) or (message.id if message.by is Speaker.USER else current)
            if message.id not in turn_of:
                turn_of[message.id] = current
                owners.setdefault(current, record)
                turns.setdefault(current, []).append(message)
    return [_turn(id, messages, owners[id]) for id, messages in turns.items()]


def _messages(home: Home, record: Record) -> Iterator[Message]:
    for number, raw in enumerate(load(home.path, record)["messages"]):
        message = _message(raw, f"{record.turn or record.name}-{number}")
        if message is not None:
            yield message


def _turn(id: str, messages: Sequence[Message], record: Record) -> Turn:
    at = next((message.at for message in messages if message.at), None) or datetime.fromtimestamp(record.at, UTC)
    return Turn(record.harness, record.session, id, tuple(messages), at, record.working_folder)


def _message(raw: Any, otherwise: str) -> Message | None:
    """Return a message in our terms; None for what says nothing. `otherwise` is its id if it has none."""
    if not isinstance(raw, Mapping) or raw.get("by") not in tuple(Speaker):
        return None
    text, request, tool = (_text(raw, name) for name in ("text", "request", "tool"))
    if not (text.strip() or tool):
        return None
    by = Speaker(raw["by"])
    if by is Speaker.TOOL and len(text) > LONGEST_RESULT:
        text = _shortened(text)
    return Message(
        id=_text(raw, "id") or otherwise,
        by=by,
        text=text,
        at=_moment(raw.get("at")),
        tool=tool,
        request=request[:LONGEST_REQUEST],
        failed=raw.get("failed") is True,
    )


def _shortened(text: str) -> str:
    """Return what a tool gave without its middle, nor the words next to the cut: half a key is none to a redactor."""
    first, last = text[: LONGEST_RESULT // 2], text[-LONGEST_RESULT // 2 :]
    return f"{re.sub(_LAST_WORD, '', first)}\n[…]\n{re.sub(_FIRST_WORD, '', last)}"


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    return value if isinstance(value, str) else ""


def _moment(value: Any) -> datetime | None:
    """Return a time that is ISO 8601 or a number of seconds, or of milliseconds, since 1970."""
    try:
        if isinstance(value, str):
            return parse_time(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
    except (InvalidInput, ValueError, OverflowError, OSError):
        pass
    return None
