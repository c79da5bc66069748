"""One process at a time holds a lock, also on a file system that has no `flock`; whoever ends frees it."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardwon.kernel import background, file_lock

COUNTER = """
import errno, fcntl, os, sys, time
from pathlib import Path
from hardwon.kernel import background
if sys.argv[3] == "without":
    def flock(*_):
        raise OSError(errno.ENOLCK, "no locks available")
    fcntl.flock = flock
background.PAUSE = 0.002
for _ in range(int(sys.argv[2])):
    with background.alone(Path(sys.argv[1]) / "lock", 30) as free:
        assert free
        counter = Path(sys.argv[1]) / "counter"
        number = int(counter.read_text())
        time.sleep(0.001)
        counter.write_text(str(number + 1))
"""


@contextmanager
def taken(path: Path) -> Iterator[bool]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    got = file_lock.take(descriptor, path)
    try:
        yield got
    finally:
        if got:
            file_lock.leave(descriptor, path)
        os.close(descriptor)


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "lock"


@pytest.fixture
def held(lock: Path) -> Path:
    return lock.with_name("lock.held")


@pytest.fixture
def no_flock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be on a file system without `flock`, as NFS without its lock service."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)


def leave_held(held: Path, **said: object) -> None:
    held.write_text(json.dumps({"host": socket.gethostname(), "process": os.getpid(), "run": "another", **said}))


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize("flock", ["with", "without"])
def test_of_processes_that_count_at_once_no_count_is_lost(tmp_path: Path, flock: str) -> None:
    (tmp_path / "counter").write_text("0")
    command = [sys.executable, "-c", COUNTER, str(tmp_path), "25", flock]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert (tmp_path / "counter").read_text() == "75"
    assert not list(tmp_path.glob("lock.held*"))


def test_without_flock_one_holds_it_and_frees_it(lock: Path, held: Path, no_flock: None) -> None:
    with taken(lock) as first:
        assert first
        with taken(lock) as second:
            assert not second
        assert held.exists()
    assert not held.exists()
    with taken(lock) as again:
        assert again


def test_asking_whether_it_is_held_frees_nobodys_lock(lock: Path, no_flock: None) -> None:
    with background.alone(lock) as free:
        assert free
        assert background.is_held(lock)
        assert background.is_held(lock)
    assert not background.is_held(lock)


def test_what_a_killed_holder_left_is_stale(lock: Path, held: Path, no_flock: None) -> None:
    leave_held(held, process=ended_process())
    with taken(lock) as got:
        assert got


def test_a_holder_of_our_own_number_before_us_is_stale(lock: Path, held: Path, no_flock: None) -> None:
    leave_held(held)
    with taken(lock) as got:
        assert got


def test_a_holder_that_lives_is_waited_for_however_long(lock: Path, held: Path, no_flock: None) -> None:
    leave_held(held, process=os.getppid())
    os.utime(held, (0, 0))
    with taken(lock) as got:
        assert not got


@pytest.mark.parametrize("content", ["elsewhere", "torn"])
def test_a_holder_that_cannot_be_asked_is_stale_when_it_is_old(
    lock: Path, held: Path, no_flock: None, content: str
) -> None:
    """It is another machine's, or was cut off before it said who it is."""
    if content == "elsewhere":
        leave_held(held, host="another-machine")
    else:
        held.write_bytes(b"")
    with taken(lock) as got:
        assert not got
    old = time.time() - file_lock.OLD_SECONDS - 1
    os.utime(held, (old, old))
    with taken(lock) as got:
        assert got


def test_of_threads_that_find_it_stale_one_gets_it(lock: Path, held: Path, no_flock: None) -> None:
    leave_held(held, process=ended_process())
    got: list[bool] = []
    done = threading.Event()

    def try_it() -> None:
        with taken(lock) as free:
            got.append(free)
            done.wait(60)

    threads = [threading.Thread(target=try_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 60
    while len(got) < 8 and time.monotonic() < until:
        time.sleep(0.005)
    done.set()
    for thread in threads:
        thread.join()
    assert got.count(True) == 1


def test_another_error_of_the_system_is_told(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(fcntl, "flock", fail)
    with pytest.raises(OSError, match="nput/output"), taken(lock):
        pass
