"""`serve`: one run an interval through restarts, doubles and sleep; ended within seconds; one line; settings of now."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.running.records import Outcome, runs

DRIVER = Path(__file__).with_name("fast_serve.py")
SPEED = 60.0
"""A minute of the clock is a second."""
PATIENCE = 240.0
SLOW = '''
"""A generalizer that says that it began, starts a program, and takes its time, deaf to signals if it is told to be."""
import signal, subprocess
from pathlib import Path
from hardwon.kernel.hookspecs import hookimpl

class Slow:
    def __init__(self, home):
        self.home = home
    def propose(self, *given, **named):
        if (self.home.path / "deaf").exists():
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen(["sleep", "600"])
        (self.home.path / "began").write_text(str(child.pid))
        child.wait()
        return []
    def weigh(self, *given, **named):
        return []

@hookimpl
def register_generalizers(register):
    register("slow", Slow)
'''


def until(happened: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait for something that will happen."""
    given_up = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < given_up, "It did not happen."
        time.sleep(0.02)


def make_home(path: Path, settings: str, *, age: float = 2 * 86_400) -> Path:
    """Make a home that is so many seconds old."""
    with Home(path) as home:
        home.create()
    (path / "config.toml").write_text(f'embedder = "none"\n{settings}', encoding="utf-8")
    made = time.time() - age
    os.utime(path / "version", (made, made))
    return path


def began(path: Path) -> list[float]:
    """Return when the runs began that came to their end, from the lines on disk: it is asked again and again."""
    lines = [line for file in path.glob("activity/*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()]
    details = [json.loads(line)["details"] for line in lines]
    return [datetime.fromisoformat(each["began"]).timestamp() for each in details if each.get("outcome") == "done"]


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that starts a program of which nothing is left afterwards."""
    started: list[subprocess.Popen[str]] = []

    def run(*command: object, **named: object) -> subprocess.Popen[str]:
        given = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8", **named}
        process = subprocess.Popen(list(map(str, command)), **given)  # type: ignore[call-overload]
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
        if process.stderr:
            process.stderr.close()


@pytest.fixture
def serve(start: Callable[..., subprocess.Popen[str]]) -> Callable[..., subprocess.Popen[str]]:
    return lambda home, **named: start(sys.executable, "-P", "-m", "hardwon.cli", "serve", "--home", home, **named)


def test_one_run_an_interval_over_restarts_and_two_processes(
    tmp_path: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    """Three starts, of which each is killed, and a second process beside each."""
    home = make_home(tmp_path / "home", '[schedule]\nconsolidate = "* * * * *"\n')
    origin = time.time()
    for restart in range(3):
        processes = [start(sys.executable, DRIVER, home, origin, SPEED, stdout=subprocess.DEVNULL) for _ in range(2)]
        until(lambda wanted=restart + 1: len(began(home)) >= wanted)
        for process in processes:
            process.kill()
            process.wait()
    minutes = Counter(int(at // 60) for at in began(home))
    assert len(minutes) >= 3
    assert set(minutes.values()) == {1}


def test_a_process_that_was_stopped_over_planned_times_runs_once_soon_after(
    tmp_path: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    """As a laptop that slept: three planned times are one run, and none is passed over for being late."""
    home = make_home(tmp_path / "home", '[schedule]\nconsolidate = "*/2 * * * *"\n')
    origin = time.time()
    process = start(sys.executable, DRIVER, home, origin, SPEED)
    until(lambda: began(home))
    process.send_signal(signal.SIGSTOP)
    stopped = time.time()
    before = len(began(home))
    until(lambda: time.time() > stopped + 7 * 60 / SPEED)
    assert len(began(home)) == before
    resumed = origin + (time.time() - origin) * SPEED
    process.send_signal(signal.SIGCONT)
    until(lambda: len(began(home)) > before)
    process.terminate()
    process.communicate()
    later = began(home)[before:]
    intervals = Counter(int(at // 120) for at in later)
    assert set(intervals.values()) == {1}
    assert resumed - 1 <= later[0]


@pytest.mark.parametrize("deaf", [False, True], ids=["listening", "deaf"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_within_seconds_while_a_run_is_made(
    tmp_path: Path,
    serve: Callable[..., subprocess.Popen[str]],
    install_plugin: Callable[..., None],
    deaf: bool,
    how: signal.Signals,
) -> None:
    """Whatever the run had started ends with it, and the run is made again next time."""
    install_plugin(tmp_path / "plugins", "slow", {"slow": "slow_generalizer"}, {"slow_generalizer": SLOW})
    home = make_home(tmp_path / "home", '[generalizer]\nname = "slow"\n')
    if deaf:
        (home / "deaf").touch()
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "plugins"), "HARDWON_LOAD_PLUGINS": "slow"}
    process = serve(home, env=environment)
    until(lambda: (home / "began").exists() and (home / "began").read_text())
    program = int((home / "began").read_text())
    process.send_signal(how)
    process.communicate(timeout=60)
    assert process.returncode == 0
    until(lambda: not Path(f"/proc/{program}").exists() or "Z" in Path(f"/proc/{program}/stat").read_text().split()[2])
    with Home(home) as opened:
        assert [run.outcome for run in runs(opened)] == ([] if deaf else [Outcome.STOPPED])
    (home / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    serve(home)
    until(lambda: began(home))


def test_a_second_one_says_that_there_is_one(tmp_path: Path, serve: Callable[..., subprocess.Popen[str]]) -> None:
    """And one that was killed leaves the place free."""
    home = make_home(tmp_path / "home", "")
    first = serve(home)
    assert first.stdout
    first.stdout.readline()
    second = serve(home)
    told, _ = second.communicate(timeout=PATIENCE)
    assert second.returncode == 1
    assert f"(process {first.pid}, since 20" in told
    first.kill()
    first.communicate()
    third = serve(home)
    assert third.stdout
    assert third.stdout.readline().startswith("Serving ")
    third.terminate()
    third.communicate()
    assert third.returncode == 0


def test_settings_that_change_are_taken(tmp_path: Path, serve: Callable[..., subprocess.Popen[str]]) -> None:
    """Broken ones are told, and what was planned stays."""
    home = make_home(tmp_path / "home", "", age=0)
    process = serve(home, env=os.environ | {"TZ": "UTC"})
    assert process.stdout
    lines = iter(process.stdout.readline, "")
    assert "03:30, by serve" in next(lines)
    (home / "config.toml").write_text('embedder = "none"\n[schedule]\nconsolidate = "45 17 * * *"\n', encoding="utf-8")
    assert any("17:45, by serve" in line for line in lines)
    (home / "config.toml").write_text('[schedule]\nconsolidate = "soon"\n', encoding="utf-8")
    assert any("“soon”" in line for line in lines)
    (home / "config.toml").write_text('embedder = "none"\n[schedule]\nconsolidate = ""\n', encoding="utf-8")
    assert any("only by hand" in line for line in lines)


def test_what_hooks_left_is_taken(tmp_path: Path, serve: Callable[..., subprocess.Popen[str]]) -> None:
    """At the start, and each minute from then on; what nobody can read is set aside, and stops nothing."""
    home = make_home(tmp_path / "home", "", age=0)
    (home / "spool").mkdir()
    (home / "spool" / "00000000000000000001-1-1.json").write_text("no JSON", encoding="utf-8")
    serve(home)
    until(lambda: list((home / "spool" / "broken").glob("*.txt")))


def test_in_a_terminal_one_line_is_written_over(tmp_path: Path, start: Callable[..., subprocess.Popen[str]]) -> None:
    home = make_home(tmp_path / "家 of mine", "", age=0)
    ours, theirs = pty.openpty()
    terminal = {"stdout": theirs, "stderr": theirs, "stdin": theirs, "env": os.environ | {"COLUMNS": "40"}}
    process = start(sys.executable, "-P", "-m", "hardwon.cli", "serve", "--home", home, **terminal)
    os.close(theirs)
    assert select.select([ours], [], [], PATIENCE)[0]
    shown = os.read(ours, 4096).decode()
    assert shown.startswith("\r\x1b[2KServing /")
    assert "\n" not in shown
    assert len(shown) < 45
    process.terminate()
    process.wait(timeout=PATIENCE)
    os.close(ours)


def test_what_a_program_reads_is_one_value(tmp_path: Path, serve: Callable[..., subprocess.Popen[str]]) -> None:
    home = make_home(tmp_path / "home", "", age=0)
    process = serve(home, stderr=subprocess.PIPE, env=os.environ | {"HARDWON_HOME": str(home)})
    process.terminate()
    process.communicate()
    command = [sys.executable, "-P", "-m", "hardwon.cli", "serve", "--json", "--home", str(home)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert process.stderr
    assert process.stderr.readline().startswith("Serving ")
    process.terminate()
    out, _ = process.communicate(timeout=PATIENCE)
    assert json.loads(out) == {"served": str(home)}
