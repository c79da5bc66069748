"""Systemd as a timer: a service and a timer of the user's own, two files that are removed again.

`Persistent=true` makes up for a time at which the machine was off. Two names of one home are two homes; a file of that
name that is not ours is left alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from hardwon.generalizer.schedule.programs import call, due_command, is_there, require
from hardwon.kernel.crontab import MONTHS, WEEKDAYS, Crontab, parse_crontab
from hardwon.kernel.errors import Conflict, HardwonError, Unavailable
from hardwon.kernel.whole_file import write_whole

PROGRAM = "systemctl"
MARK = "# Made by `hardwon schedule install`; `hardwon schedule remove` removes it."


class SystemdTimer:
    """The user's own manager of systemd."""

    def missing(self) -> str | None:
        """Return why it cannot be used here."""
        instead = "use `hardwon schedule install --cron` or `hardwon serve`"
        if not is_there(PROGRAM):
            return f"There is no systemd here; {instead}."
        with contextlib.suppress(Unavailable):
            if call([PROGRAM, "--user", "show-environment"]).returncode == 0:
                return None
        return f"Systemd manages nothing for your user here (`systemctl --user` fails); {instead}."

    def installed(self, home: Path) -> bool:
        """Tell whether the timer is there and enabled."""
        timer = _folder() / f"{_name(home)}.timer"
        if not timer.is_file() or not is_there(PROGRAM):
            return False
        with contextlib.suppress(HardwonError):
            return call([PROGRAM, "--user", "is-enabled", timer.name]).returncode == 0
        return False

    def is_current(self, home: Path, line: str) -> bool:
        """Tell whether what is there is what `install` would write."""
        return self.installed(home) and all(_content(path) == text for path, text in _files(home, line).items())

    def preview(self, home: Path, line: str) -> str:
        """Return the files that `install` would write."""
        return "\n".join(f"# {path}\n{text.decode(errors='replace')}" for path, text in _files(home, line).items())

    def install(self, home: Path, line: str) -> list[str]:
        """Write the files and have systemd start the timer, now and at each login."""
        if why := self.missing():
            raise Unavailable(why)
        if self.is_current(home, line):
            return []
        wanted = _files(home, line)
        before = {path: _content(path) for path in wanted}
        _require_ours(before)
        _put(wanted)
        try:
            require([PROGRAM, "--user", "daemon-reload"])
            require([PROGRAM, "--user", "enable", f"{_name(home)}.timer"])
            require([PROGRAM, "--user", "restart", f"{_name(home)}.timer"])
        except Unavailable:
            with contextlib.suppress(Unavailable):
                call([PROGRAM, "--user", "disable", "--now", f"{_name(home)}.timer"])
            _put(before)
            raise
        return [f"Wrote {path}." for path in wanted] + [f"Started the timer {_name(home)}."]

    def remove(self, home: Path) -> list[str]:
        """Stop the timer and remove the files."""
        there = {path: _content(path) for path in _paths(home)}
        _require_ours(there)
        ours = [path for path, text in there.items() if text is not None]
        if not ours:
            return []
        if self.missing() is None:
            require([PROGRAM, "--user", "disable", "--now", f"{_name(home)}.timer"])
        _put(dict.fromkeys(ours))
        if self.missing() is None:
            require([PROGRAM, "--user", "daemon-reload"])
        return [f"Removed {path}." for path in ours]


def _folder() -> Path:
    given = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".config") / "systemd" / "user"


def _name(home: Path) -> str:
    return f"hardwon-consolidate-{hashlib.sha256(os.fsencode(home)).hexdigest()[:8]}"


def _paths(home: Path) -> tuple[Path, Path]:
    return _folder() / f"{_name(home)}.service", _folder() / f"{_name(home)}.timer"


def _files(home: Path, line: str) -> dict[Path, bytes]:
    """Return the two files, service first."""
    service, timer = _paths(home)
    shown = str(home).replace("%", "%%")
    times = "".join(f"OnCalendar={each}\n" for each in calendar(parse_crontab(line)))
    texts = {
        service: f"{MARK}\n[Unit]\nDescription=hardwon looks at the lessons in {shown}\n\n"
        f"[Service]\nType=oneshot\nNice=19\nExecStart={' '.join(map(_quoted, due_command(home)))}\n",
        timer: f"{MARK}\n[Unit]\nDescription=When hardwon looks at the lessons in {shown}\n\n"
        f"[Timer]\n{times}Persistent=true\n\n[Install]\nWantedBy=timers.target\n",
    }
    return {path: os.fsencode(text) for path, text in texts.items()}


def _quoted(word: str) -> str:
    """Return a word as systemd reads it in a command: `%` names what it knows, `$` a variable."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def calendar(crontab: Crontab) -> list[str]:
    """Return the calendar events of a crontab line: two where either of two days suffices."""
    time = f"{_listed(crontab.hours, 24)}:{_listed(crontab.minutes, 60)}:00"
    months = _listed(sorted(crontab.months), len(MONTHS))
    by_month = f"*-{months}-{_listed(sorted(crontab.days), 31)} {time}"
    names = ",".join(WEEKDAYS[day].capitalize() for day in sorted(crontab.weekdays))
    every_weekday = len(crontab.weekdays) == len(WEEKDAYS)
    if crontab.any_day or crontab.any_weekday:
        return [by_month if every_weekday else f"{names} {by_month}"]
    return [by_month, f"{names} *-{months}-* {time}"]


def _listed(values: Iterable[int], every: int) -> str:
    listed = list(values)
    return "*" if len(listed) == every else ",".join(f"{each:02}" for each in listed)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _require_ours(there: dict[Path, bytes | None]) -> None:
    for path, text in there.items():
        if text is not None and not text.startswith(MARK.encode()):
            raise Conflict(f"{path} was not made by hardwon; move it away, then repeat.")


def _put(files: dict[Path, bytes | None] | dict[Path, bytes]) -> None:
    """Write files whole; None removes one."""
    for path, text in files.items():
        if text is None:
            path.unlink(missing_ok=True)
            continue
        write_whole(path, text, durable=True)
