"""The spool as the background sees it: records by session, those whose session goes on, and those that are broken.

    spool/…            events that nobody took yet
    spool/open/…       events that were taken and whose session goes on: what it needs to be looked at again
    spool/broken/…     records that cannot be taken, each with a `.txt` that says why; a person may look at them

A record of a newer format is left alone: the hardwon that wrote it will take it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.kernel import spool
from hardwon.kernel.errors import InvalidInput, NewerFormat
from hardwon.kernel.records import Problem
from hardwon.kernel.secrets import mask_known

LOCK_FILE = "capture.lock"
"""Of the home: whoever takes records holds it."""
OPEN, BROKEN = "open", "broken"
ENDED, SHOWN = "session-end", "shown"
_MOMENTS = ("turn-end", ENDED, SHOWN)
TOLD = 20
"""Of the records that are broken, how many are told one by one."""
WAITED = 3600.0
"""Seconds after which an event that still waits is a problem."""
END_OF_TIME = 253_402_300_800
"""Seconds from 1970 to the year 10000."""
UNFINISHED = 86_400.0
"""Seconds after which a record that was never whole is removed."""
_READ_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Record:
    """One event, without what was said in it, which is read when it is needed."""

    name: str
    folder: str
    """Of the spool: empty, or `open`."""
    harness: str
    moment: str
    session: str
    at: float
    """Seconds since 1970."""
    working_folder: Path | None
    transcript: Path | None
    size: int | None
    """Bytes of the transcript that had been written when the event came."""
    turn: str | None
    has_messages: bool


def records(home: Path) -> Iterator[Record]:
    """Walk the records of the spool, oldest first; what is broken is moved aside, what is newer is left alone."""
    for folder in (OPEN, ""):
        names = spool.waiting(str(home), _below(folder))
        for start in range(0, len(names), _READ_AT_ONCE):
            for name, data in spool.read(str(home), names[start : start + _READ_AT_ONCE], _below(folder)):
                try:
                    yield _record(name, folder, content_of(data))
                except NewerFormat:
                    continue
                except InvalidInput as error:
                    set_aside(home, [(folder, name)], str(error))


def content_of(data: bytes) -> Mapping[str, Any]:
    """Return what a record says. Raises NewerFormat; InvalidInput when it is broken."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"It is no JSON ({error}); look at what was captured, then remove it.") from None
    if not isinstance(content, dict) or not isinstance(content.get("format"), int):
        raise InvalidInput("It is no record of the spool; look at what was captured, then remove it.")
    if content["format"] > spool.FORMAT_VERSION:
        raise NewerFormat(f"It has format {content['format']}; upgrade hardwon.")
    return content


def _record(name: str, folder: str, content: Mapping[str, Any]) -> Record:
    """Return a record. Raises InvalidInput for one that lacks something or has nonsense in its place."""
    texts = ("harness", "session", "moment")
    if not all(isinstance(content.get(field), str) and content[field] for field in texts):
        raise InvalidInput("It does not say which session of which harness it is of; remove it.")
    at, size = content.get("at"), content.get("size")
    if content["moment"] not in _MOMENTS or not isinstance(at, int | float) or not 0 <= at < END_OF_TIME:
        raise InvalidInput("It does not say what happened when; remove it.")
    return Record(
        name=name,
        folder=folder,
        harness=content["harness"],
        moment=content["moment"],
        session=content["session"],
        at=float(at),
        working_folder=_path(content.get("folder")),
        transcript=_path(content.get("transcript")),
        size=size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else None,
        turn=content["turn"] if isinstance(content.get("turn"), str) else None,
        has_messages=isinstance(content.get("messages"), list) and bool(content["messages"]),
    )


def _path(value: Any) -> Path | None:
    return Path(value) if isinstance(value, str) and value and "\0" not in value else None


def load(home: Path, record: Record) -> Mapping[str, Any]:
    """Return all that a record says. Raises InvalidInput when it is gone or broken since it was seen."""
    for _, data in spool.read(str(home), [record.name], _below(record.folder)):
        return content_of(data)
    raise InvalidInput("The record is gone; another process took it.")


def remove(home: Path, taken: Iterable[Record]) -> None:
    """Take records out: what came of them is committed."""
    by_folder: dict[str, list[str]] = {}
    for record in taken:
        by_folder.setdefault(record.folder, []).append(record.name)
    for folder, names in by_folder.items():
        spool.remove(str(home), names, _below(folder))


def keep_open(home: Path, kept: Iterable[Record]) -> None:
    """Put records aside that were taken and whose session goes on."""
    for record in kept:
        if not record.folder:
            _move(home, record.folder, record.name, OPEN)


def set_aside(home: Path, names: Sequence[tuple[str, str]], why: str) -> None:
    """Move records (folder, name) that cannot be taken to the broken ones, with the reason."""
    for folder, name in names:
        if _move(home, folder, name, BROKEN):
            reason = home / spool.FOLDER / BROKEN / f"{name.removesuffix(spool.ENDING)}.txt"
            descriptor = os.open(reason, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
                file.write(f"{mask_known(why)}\n")


def clear_unfinished(home: Path, now: float) -> None:
    """Remove what a hook that was killed had not finished writing a day ago; nobody was told that it is kept."""
    for path in (home / spool.FOLDER).glob(".*"):
        with contextlib.suppress(OSError):
            if abs(now - path.stat().st_mtime) > UNFINISHED:
                path.unlink()


def _move(home: Path, folder: str, name: str, to: str) -> bool:
    root = home / spool.FOLDER
    (root / to).mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        (root / folder / name).rename(root / to / name)
    except FileNotFoundError:
        return False
    return True


def _below(folder: str) -> str:
    return f"{spool.FOLDER}/{folder}" if folder else spool.FOLDER


def spool_problems(home: Path, now: float) -> list[Problem]:
    """Return what is wrong with the spool. `now` in seconds since 1970."""
    root = home / spool.FOLDER
    problems = _broken_problems(root / BROKEN)
    newer = 0
    oldest = now
    unread = set(spool.waiting(str(home)))
    for name, data in spool.read(str(home), sorted(unread)):
        unread.remove(name)
        try:
            oldest = min(oldest, float(content_of(data).get("at") or now))
        except NewerFormat:
            newer += 1
        except (InvalidInput, TypeError, ValueError, OverflowError):
            continue
    if unread := unread & set(spool.waiting(str(home))):
        what = f"{len(unread)} captured events cannot be read, as {min(unread)}; make them readable, or remove them."
        problems.append(Problem(where=str(root), what=what))
    if newer:
        what = f"{newer} captured events were written by a newer hardwon; upgrade this one to take them."
        problems.append(Problem(where=str(root), what=what))
    if now - oldest > WAITED:
        hours = (now - oldest) / 3600
        what = f"What was captured has waited for {hours:.0f} h; run `hardwon consolidate`, which says what is wrong."
        problems.append(Problem(where=str(root), what=what))
    return problems


def _broken_problems(folder: Path) -> list[Problem]:
    """Return what is wrong with records that were set aside, the newest one by one and the others by their number."""
    reasons = sorted(folder.glob("*.txt"))
    problems = [
        Problem(
            where=str(path.with_suffix(spool.ENDING)), what=path.read_text(encoding="utf-8", errors="replace").strip()
        )
        for path in reasons[-TOLD:]
    ]
    if others := len(reasons) - len(problems):
        what = f"{others:,} older ones cannot be taken either; look at some, then remove the folder."
        problems.append(Problem(where=str(folder), what=what))
    return problems
