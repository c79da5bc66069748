"""Cron as a timer: a line between two marks in the user's crontab, which is as it was before once the line is removed.

The first mark says what was found: no crontab at all, or a last line without its end, so that both come back exactly.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from hardwon.generalizer.schedule.programs import call, due_command, is_there, require
from hardwon.kernel.errors import HardwonError, InvalidInput, Unavailable

PROGRAM = "crontab"
NONE_BEFORE, UNENDED_BEFORE, ENDED_BEFORE = "there was no crontab", "the line above had no end", "added by hardwon"
_BEGIN, _END = "# hardwon schedule, begin", "# hardwon schedule, end"


class CronTimer:
    """The user's crontab."""

    def missing(self) -> str | None:
        """Return why it cannot be used here."""
        if is_there(PROGRAM):
            return None
        return (
            "There is no `crontab` here; install cron, or use `hardwon schedule install --systemd` or `hardwon serve`."
        )

    def installed(self, home: Path) -> bool:
        """Tell whether a line that is in force starts runs for this home."""
        block = self._block(home)
        return block is not None and any(
            line.strip() and not line.lstrip().startswith(b"#") for line in block.splitlines()
        )

    def is_current(self, home: Path, line: str) -> bool:
        """Tell whether what is there is what `install` would write."""
        block = self._block(home)
        return block is not None and _entry(home, line) in block.splitlines()

    def _block(self, home: Path) -> bytes | None:
        try:
            found = _marked(home).search(_read() or b"") if is_there(PROGRAM) else None
        except HardwonError:
            return None
        return found[0] if found else None

    def preview(self, home: Path, line: str) -> str:
        """Return the lines that `install` would add."""
        return os.fsdecode(_lines(home, line, ENDED_BEFORE))

    def install(self, home: Path, line: str) -> list[str]:
        """Put the line into the crontab, in the place of an earlier one for this home."""
        if why := self.missing():
            raise Unavailable(why)
        before = _read()
        after = _with(before, home, line)
        if after == before:
            return []
        _write(after)
        return [f"Added a line for {home} to your crontab (`crontab -l` shows it)."]

    def remove(self, home: Path) -> list[str]:
        """Take the line out again."""
        if not is_there(PROGRAM):
            return []
        before = _read()
        after = _without(before, home)
        if after == before:
            return []
        _write(after)
        return [f"Removed the line for {home} from your crontab."]


def _with(before: bytes | None, home: Path, line: str) -> bytes:
    if found := _marked(home).search(before or b""):
        assert before is not None
        return before[: found.start()] + _lines(home, line, found["was"].decode()) + before[found.end() :]
    if before is None:
        return _lines(home, line, NONE_BEFORE)
    if before and not before.endswith(b"\n"):
        return before + b"\n" + _lines(home, line, UNENDED_BEFORE)
    return before + _lines(home, line, ENDED_BEFORE)


def _without(before: bytes | None, home: Path) -> bytes | None:
    found = _marked(home).search(before or b"")
    if before is None or not found:
        return before
    above, below = before[: found.start()], _inherited(before[found.end() :], found["was"])
    if found["was"] == UNENDED_BEFORE.encode() and not below:
        above = above.removesuffix(b"\n")
    after = above + below
    return None if not after and found["was"] == NONE_BEFORE.encode() else after


def _inherited(below: bytes, was: bytes) -> bytes:
    """Return what is below a block that goes; another of ours there takes over what was found before the first."""
    begin, end = (f"{mark} ({ENDED_BEFORE}): ".encode() for mark in (_BEGIN, _END))
    if not below.startswith(begin):
        return below
    for mark in (begin, end):
        below = below.replace(mark, mark.replace(ENDED_BEFORE.encode(), was), 1)
    return below


def _lines(home: Path, line: str, was: str) -> bytes:
    name = os.fsencode(home)
    begin, end = (f"{mark} ({was}): ".encode() + name for mark in (_BEGIN, _END))
    return b"".join(each + b"\n" for each in (begin, _entry(home, line), end))


def _entry(home: Path, line: str) -> bytes:
    """Return the line, as cron reads it: a percent sign ends a command there unless a backslash stands before it."""
    command = os.fsencode(shlex.join(["nice", "-n", "19", *due_command(home)]))
    if rb"\%" in command:
        raise InvalidInput(f"Cron cannot name {home}, where a backslash stands before a percent sign; move the memory.")
    return " ".join(line.split()).encode() + b" " + command.replace(b"%", rb"\%") + b" >/dev/null 2>&1"


def _marked(home: Path) -> re.Pattern[bytes]:
    """Return what finds the marks of a home with all that is between them."""
    name = re.escape(os.fsencode(home))
    was = b"|".join(re.escape(each.encode()) for each in (NONE_BEFORE, UNENDED_BEFORE, ENDED_BEFORE))
    begin, end = re.escape(_BEGIN.encode()), re.escape(_END.encode())
    pattern = rb"^%b \((?P<was>%b)\): %b\n(?:.*\n)*?%b \((?:%b)\): %b(?:\n|\Z)" % (begin, was, name, end, was, name)
    return re.compile(pattern, re.MULTILINE)


def _read() -> bytes | None:
    """Return the crontab; None where the user has none. Raises Unavailable."""
    done = call([PROGRAM, "-l"])
    if done.returncode == 0:
        return done.stdout
    told = done.stderr.lower()
    if b"no crontab" in told or b"no such file" in told:
        return None
    why = " ".join(done.stderr.decode(errors="replace").split())
    raise Unavailable(f"Your crontab cannot be read ({why}); ask who runs this machine, or use another timer.")


def _write(crontab: bytes | None) -> None:
    """Put a crontab in the place of the one that is there; None removes it. Raises Unavailable."""
    if crontab and not crontab.endswith(b"\n") and call([PROGRAM, "-"], crontab).returncode:
        crontab += b"\n"  # most crons take none whose last line has no end, however it came there
    require([PROGRAM, "-r"] if crontab is None else [PROGRAM, "-"], crontab)
