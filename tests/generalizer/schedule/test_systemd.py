"""A service and a timer of the user's own: written as systemd reads them, and taken back without a trace."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.generalizer.schedule.systemd import SystemdTimer, calendar
from hardwon.kernel.crontab import parse_crontab
from hardwon.kernel.errors import Conflict, Unavailable
from hardwon.testing.conformance import TimerConformance

LINE = "30 3 * * *"
ANALYZE = shutil.which("systemd-analyze")


def everything(system: Path, units: Path) -> object:
    """Return the files in systemd's folder, and which timers are enabled."""
    files = {path.name: path.read_bytes() for path in units.glob("*")} if units.is_dir() else {}
    enabled = system / "enabled"
    return files, enabled.read_bytes() if enabled.exists() else b""


class TestSystemdTimer(TimerConformance):
    @pytest.fixture
    def timer(self, systemctl: Path) -> SystemdTimer:
        return SystemdTimer()

    @pytest.fixture
    def snapshot(self, system: Path, systemctl: Path) -> Callable[[], object]:
        return lambda: everything(system, systemctl)


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("30 3 * * *", ["*-*-* 03:30:00"]),
        ("*/20 */12 * * *", ["*-*-* 00,12:00,20,40:00"]),
        ("0 8 * * 1-5", ["Mon,Tue,Wed,Thu,Fri *-*-* 08:00:00"]),
        ("0 8 * * 0,7", ["Sun *-*-* 08:00:00"]),
        ("0 8 1 * fri", ["*-*-01 08:00:00", "Fri *-*-* 08:00:00"]),
        ("* * * jan *", ["*-01-* *:*:00"]),
    ],
)
def test_a_crontab_line_in_the_words_of_systemd(line: str, events: list[str]) -> None:
    assert calendar(parse_crontab(line)) == events
    for event in events if ANALYZE else ():
        subprocess.run([ANALYZE, "calendar", event], check=True, capture_output=True)


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", ["a home", "家", "100% of $HOME", 'it"s \\ quoted'])
def test_systemd_itself_finds_nothing_wrong(systemctl: Path, tmp_path: Path, name: str) -> None:
    SystemdTimer().install(tmp_path / name, LINE)
    [service] = systemctl.glob("*.service")
    assert ANALYZE
    done = subprocess.run([ANALYZE, "--user", "verify", service], capture_output=True, encoding="utf-8", check=False)
    assert service.name not in done.stderr


def test_a_night_that_was_missed_is_made_up_for(systemctl: Path, tmp_path: Path) -> None:
    SystemdTimer().install(tmp_path, LINE)
    [timer] = systemctl.glob("*.timer")
    assert "Persistent=true" in timer.read_text(encoding="utf-8")


@pytest.mark.parametrize("step", ["daemon-reload", "enable", "restart"])
def test_when_systemd_refuses_nothing_is_left(system: Path, systemctl: Path, tmp_path: Path, step: str) -> None:
    (system / "broken").write_text(step, encoding="utf-8")
    with pytest.raises(Unavailable, match=f"Failed to {step}"):
        SystemdTimer().install(tmp_path, LINE)
    assert everything(system, systemctl) == ({}, b"")


def test_a_file_that_is_not_ours_is_left_alone(systemctl: Path, tmp_path: Path) -> None:
    timer = SystemdTimer()
    timer.install(tmp_path, LINE)
    [service] = systemctl.glob("*.service")
    service.write_text("[Service]\nExecStart=/bin/mine\n", encoding="utf-8")
    with pytest.raises(Conflict, match="not made by hardwon"):
        timer.remove(tmp_path)
    with pytest.raises(Conflict, match="not made by hardwon"):
        timer.install(tmp_path, "0 4 * * *")
    assert "/bin/mine" in service.read_text(encoding="utf-8")


@pytest.mark.parametrize("there", [True, False])
def test_without_a_manager_it_says_what_else_there_is(
    system: Path, request: pytest.FixtureRequest, there: bool
) -> None:
    """No systemd, or none for this user, as in a container."""
    if there:
        request.getfixturevalue("systemctl")
        (system / "no-manager").touch()
    timer = SystemdTimer()
    assert "hardwon schedule install --cron" in str(timer.missing())
    with pytest.raises(Unavailable):
        timer.install(system, LINE)
    assert timer.remove(system) == []
    assert not (system / "config").exists()
