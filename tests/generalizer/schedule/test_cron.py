"""A line in the user's crontab: quoted as cron and the shell read it, and taken back to the byte."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.generalizer.schedule import cron
from hardwon.generalizer.schedule.cron import CronTimer
from hardwon.generalizer.schedule.programs import due_command
from hardwon.kernel.errors import InvalidInput, Unavailable
from hardwon.testing.conformance import TimerConformance

LINE = "30 3 * * *"


def run_by_cron(entry: bytes) -> bytes:
    """Return what cron gives to the shell, as cron(8) has it: `%` ends the command, unless after a backslash."""
    command = b""
    escaped = False
    for byte in (bytes([each]) for each in entry.split(b" ", 5)[5]):
        if byte == b"%" and not escaped:
            break
        command = command[:-1] + byte if escaped and byte == b"%" else command + byte
        escaped = byte == b"\\" and not escaped
    return command


class TestCronTimer(TimerConformance):
    @pytest.fixture
    def timer(self, crontab: Path) -> CronTimer:
        return CronTimer()

    @pytest.fixture
    def snapshot(self, crontab: Path) -> Callable[[], object]:
        return lambda: crontab.read_bytes() if crontab.exists() else None


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"\n",
        b"MAILTO=me\n*/5 * * * * backup --now\n",
        "# 每晚备份 \n0 4 * * * 备份\n".encode(),
        b"\xff\xfe latin \xe9\n",
        b"# hardwon schedule, begin (added by hardwon): /another home\n30 3 * * * x\n",
    ],
)
def test_what_the_user_has_in_it_stays_to_the_byte(crontab: Path, tmp_path: Path, before: bytes) -> None:
    crontab.write_bytes(before)
    timer = CronTimer()
    timer.install(tmp_path / "a home", LINE)
    assert crontab.read_bytes().startswith(before)
    timer.remove(tmp_path / "a home")
    assert crontab.read_bytes() == before


@pytest.mark.parametrize(("lenient", "after"), [(True, b"0 4 * * * backup"), (False, b"0 4 * * * backup\n")])
def test_a_last_line_without_its_end(crontab: Path, tmp_path: Path, lenient: bool, after: bytes) -> None:
    """Comes back so where cron takes it, and with its end where cron takes no other."""
    if lenient:
        (crontab.parent / "lenient").touch()
    crontab.write_bytes(b"0 4 * * * backup")
    timer = CronTimer()
    timer.install(tmp_path, LINE)
    assert crontab.read_bytes().splitlines()[0] == b"0 4 * * * backup"
    timer.remove(tmp_path)
    assert crontab.read_bytes() == after


def test_lines_that_were_added_below_stay(crontab: Path, tmp_path: Path) -> None:
    timer = CronTimer()
    timer.install(tmp_path, LINE)
    crontab.write_bytes(crontab.read_bytes() + b"0 5 * * * mine\n")
    timer.remove(tmp_path)
    assert crontab.read_bytes() == b"0 5 * * * mine\n"


def test_a_line_that_was_turned_off_is_not_installed(crontab: Path, tmp_path: Path) -> None:
    """A person put a comment sign before it: status must not say that cron makes the runs."""
    timer = CronTimer()
    timer.install(tmp_path, LINE)
    crontab.write_bytes(crontab.read_bytes().replace(b"30 3", b"# 30 3"))
    assert not timer.installed(tmp_path)
    assert timer.install(tmp_path, LINE)
    assert timer.installed(tmp_path)


@given(st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40))
def test_the_command_reaches_the_program_whatever_the_home_is_called(name: str) -> None:
    home = Path("/homes") / name
    try:
        entry = cron._entry(home, LINE)
    except InvalidInput:
        assert "\\%" in name
        return
    shell = run_by_cron(entry).replace(b"nice -n 19 ", b"printf '%s\\0' ").replace(b" >/dev/null 2>&1", b"")
    got = subprocess.run(["sh", "-c", shell], capture_output=True, check=True).stdout
    assert got.decode().split("\0")[:-1] == due_command(home)


def test_a_home_that_no_line_can_name_is_refused(crontab: Path) -> None:
    for name in ("two\nlines", "back\\%slash"):
        with pytest.raises(InvalidInput):
            CronTimer().install(Path("/homes") / name, LINE)
    assert not crontab.exists()


def test_without_cron_it_says_what_else_there_is(system: Path, tmp_path: Path) -> None:
    timer = CronTimer()
    assert "hardwon serve" in str(timer.missing())
    assert not timer.installed(tmp_path)
    assert timer.remove(tmp_path) == []
    with pytest.raises(Unavailable, match="no `crontab` here"):
        timer.install(tmp_path, LINE)


def test_a_crontab_that_may_not_be_read_is_left_alone(put: Callable[[str, str], None], tmp_path: Path) -> None:
    """The administrator allows it to nobody: that is not the same as having none."""
    put("crontab", "#!/bin/sh\necho 'You (tester) are not allowed to use this program (crontab)' >&2\nexit 1\n")
    with pytest.raises(Unavailable, match="not allowed"):
        CronTimer().install(tmp_path, LINE)
    assert not CronTimer().installed(tmp_path)
