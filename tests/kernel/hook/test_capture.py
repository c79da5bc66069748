"""Capture: an event is in the spool, whole, when the program has ended; nothing is printed, and no secret is kept."""

from __future__ import annotations

import json
import os
import random
import subprocess
import threading
import time
from pathlib import Path

import pytest

from hardwon.kernel import spool
from hardwon.testing.wired_home import WiredHome

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_the_end_of_a_turn_is_kept_as_where_the_turn_stands(wired: WiredHome, tmp_path: Path) -> None:
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_bytes(b"x" * 123)
    before = time.time()
    assert wired.run(wired.event("Stop", transcript=str(transcript))).stdout == b""
    [record] = wired.records()
    assert record.pop("at") == pytest.approx(before, abs=60)  # type: ignore[attr-defined]
    assert record == {
        "format": 1,
        "harness": "tester",
        "moment": "turn-end",
        "session": "s1",
        "folder": str(wired.folder),
        "turn": "t1",
        "transcript": str(transcript),
        "size": 123,
    }


def test_the_end_of_a_session_is_kept_too_and_nothing_is_said(wired: WiredHome) -> None:
    assert wired.run(wired.event("End", transcript="/nowhere/t.jsonl")).stdout == b""
    [record] = wired.records()
    assert (record["moment"], record["size"]) == ("session-end", None)


def test_without_a_transcript_what_was_said_is_kept_without_its_secrets(wired: WiredHome) -> None:
    messages = [
        {"id": "m1", "by": "user", "text": f"use {SECRET} <private>my diary</private> please"},
        {"id": "m2", "by": "tool", "tool": "bash", "request": f"curl -H {SECRET}", "text": "ok", "failed": False},
        {"id": "m3", "by": "tool", "tool": f"sh -c {SECRET}", "text": "ok", "arguments": {"header": SECRET}},
    ]
    wired.run(wired.event("Stop", messages=messages))
    [record] = wired.records()
    assert [each["id"] for each in record["messages"]] == ["m1", "m2", "m3"]
    assert record["messages"][1]["failed"] is False
    raw = b"".join(path.read_bytes() for path in (wired.home / "spool").iterdir())
    assert SECRET.encode() not in raw
    assert b"diary" not in raw


def test_with_a_transcript_nothing_that_was_said_is_kept(wired: WiredHome) -> None:
    wired.run(wired.event("Stop", transcript="/t", messages=[{"id": "m", "by": "user", "text": "hello"}], prompt="hi"))
    assert "messages" not in wired.records()[0]


def test_a_session_without_a_name_goes_by_its_transcript(wired: WiredHome) -> None:
    """Else the worker could not tell whose turn it is, and would set the record aside."""
    wired.run(wired.event("Stop", transcript="/t.jsonl", session=None))
    assert [record["session"] for record in wired.records()] == ["/t.jsonl"]


def test_nothing_of_the_environment_is_kept(wired: WiredHome) -> None:
    for name in ("Start", "Prompt", "Stop"):
        wired.run(wired.event(name, prompt="x", transcript="/t"), CLAUDE_CODE_MESSAGING_TOKEN="t0ken-of-the-harness")
    kept = [path for path in wired.home.rglob("*") if path.is_file()]
    assert not [path for path in kept if b"t0ken-of-the-harness" in path.read_bytes()]


def test_a_spool_that_is_missing_is_made_for_its_owner_alone(wired: WiredHome) -> None:
    wired.run(wired.event("Stop", transcript="/t"))
    assert (wired.home / "spool").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (wired.home / "spool").iterdir()} == {0o600}


@pytest.mark.parametrize("what", ["a file", "a full disk"])
def test_what_cannot_be_kept_stops_no_session(wired: WiredHome, what: str) -> None:
    """The transcript is still the harness's; what happened stands in `last-error`, without a word of the session."""
    if what == "a file":
        (wired.home / "spool").write_bytes(b"")
        wired.run(wired.event("Stop", transcript="/secret/path"))
    else:
        limited = ["/bin/sh", "-c", 'ulimit -f 0; exec "$0" "$@"', *wired.command]
        payload = wired.event("Stop", transcript="/secret/path")
        result = subprocess.run(limited, input=payload, capture_output=True, check=False, timeout=30)
        assert (result.stdout, result.stderr) == (b"", b"")
    assert wired.records() == []
    if what == "a file":
        noted = (wired.home / "hook" / "last-error").read_text(encoding="utf-8")
        assert "Error" in noted
        assert "secret" not in noted


def test_of_fifty_at_once_killed_at_random_none_that_was_acknowledged_is_lost(wired: WiredHome) -> None:
    """A process that ended with 0 has put its event into the spool; one that was killed left a whole record or none."""
    chance = random.Random(5)
    acknowledged: list[str] = []
    guard = threading.Lock()

    def serve(number: int) -> None:
        process = subprocess.Popen(wired.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        killer = threading.Timer(chance.uniform(0.0, 1.5), process.kill) if number % 2 else None
        if killer:
            killer.start()
        try:
            process.communicate(wired.event("Stop", turn=f"turn-{number}", transcript="/t"), timeout=60)
        except BrokenPipeError:
            process.wait(timeout=60)
        if killer:
            killer.cancel()
        if process.returncode == 0:
            with guard:
                acknowledged.append(f"turn-{number}")

    threads = [threading.Thread(target=serve, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = {record["turn"] for record in wired.records()}
    assert len(acknowledged) >= 25
    assert set(acknowledged) <= kept
    assert spool.waiting(str(wired.home)) == sorted(path.name for path in (wired.home / "spool").glob("*.json"))
    assert not _processes_of(wired.home)


def _processes_of(home: Path) -> list[str]:
    """Return the command lines of running processes that name this home."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc/self").exists() else ():
        try:
            line = (entry / "cmdline").read_bytes().decode("utf-8", "replace") if entry.name.isdigit() else ""
        except OSError:  # it ended meanwhile
            continue
        if str(home) in line and entry.name != str(os.getpid()):
            found.append(line)
    return found


def test_the_worker_is_started_detached_with_our_hooks_off(wired: WiredHome, tmp_path: Path) -> None:
    """Whatever it starts (a model's client, an agent) triggers no hook of ours; it is of no session of the harness."""
    seen = tmp_path / "seen"
    script = (
        f"import os, json; open({str(seen)!r} + '.part', 'w').write(json.dumps("
        "[os.environ.get('HARDWON_HOOKS'), os.getsid(0) == os.getpid(), os.readlink('/proc/self/fd/1'), "
        f"sorted(os.listdir('/proc/self/fd'))])); os.rename({str(seen)!r} + '.part', {str(seen)!r})"
    )
    wired.write_data(worker=[wired.command[0], "-I", "-S", "-c", script])
    wired.run(wired.event("Stop", transcript="/t"), HARDWON_NO_BACKGROUND="")
    until = time.monotonic() + 20
    while not seen.exists() and time.monotonic() < until:
        time.sleep(0.02)
    hooks, leads, output, descriptors = json.loads(seen.read_text(encoding="utf-8"))
    assert (hooks, leads, output) == ("off", True, "/dev/null")
    assert set(descriptors) - {"0", "1", "2"} <= {"3", "4"}  # of its own reading


def test_a_worker_that_holds_the_lock_is_not_doubled(wired: WiredHome, tmp_path: Path) -> None:
    """The lock tells it, not a number of a process that may be another program's by now."""
    import fcntl

    seen = tmp_path / "seen"
    wired.write_data(worker=["/bin/sh", "-c", f"echo once >> {seen}"])
    with (wired.home / "capture.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wired.run(wired.event("Stop", transcript="/t"), HARDWON_NO_BACKGROUND="")
        assert not seen.exists()
    (wired.home / "capture.lock").write_text(str(os.getpid()), encoding="ascii")
    wired.run(wired.event("Stop", transcript="/t"), HARDWON_NO_BACKGROUND="")
    until = time.monotonic() + 20
    while not seen.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert seen.exists()


def test_a_worker_that_is_gone_stops_no_session(wired: WiredHome) -> None:
    """The virtual environment that `setup` ran in may have been pruned."""
    wired.write_data(worker=["/nowhere/python", "-m", "nothing"])
    wired.run(wired.event("Stop", transcript="/t"), HARDWON_NO_BACKGROUND="")
    assert len(wired.records()) == 1
