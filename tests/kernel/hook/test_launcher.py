"""The program compiles itself once, for all starts; whatever is wrong with what it kept, every start is served."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hardwon.kernel.use_cases.hook_assembly import assembled
from hardwon.testing.wired_home import PYTHON, WiredHome

CACHE = f"hook.{sys.implementation.cache_tag}"
SLOW = {"json", "re", "enum", "pathlib", "dataclasses", "typing", "functools", "collections", "socket", "signal"}
"""What takes longer to import than an event to capture."""


def imported(wired: WiredHome, payload: bytes) -> set[str]:
    """Return the modules that serving an event imports."""
    command = [wired.command[0], "-X", "importtime", *wired.command[1:]]
    result = subprocess.run(command, input=payload, capture_output=True, text=False, check=True, timeout=30)
    lines = result.stderr.decode().splitlines()
    return {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}


def start(wired: WiredHome) -> str:
    return wired.said(wired.event("Start", source="startup"))


def test_it_needs_nothing_of_ours_beside_itself(wired: WiredHome) -> None:
    """`-I -S`: no site-packages, no PYTHONPATH, not even the folder of the program."""
    (wired.home / "hook" / "os.py").write_text("raise SystemExit(2)\n", encoding="utf-8")
    assert start(wired)
    assert wired.said(wired.event("Start", source="startup"), PYTHONPATH=str(wired.home / "hook")) == start(wired)


def test_capture_imports_nothing_slow(wired: WiredHome) -> None:
    names = imported(wired, wired.event("Stop", transcript="/t"))
    assert "hardwon.kernel.hook.capturing" in names
    assert names & SLOW == set()


def test_a_session_start_imports_nothing_slow(wired: WiredHome) -> None:
    names = imported(wired, wired.event("Start", source="startup"))
    assert "hardwon.kernel.injection" in names
    assert names & SLOW == set()


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "flipped", "foreign", "a folder"])
def test_what_was_compiled_is_made_anew_when_it_is_damaged(wired: WiredHome, damage: str) -> None:
    cache = wired.home / "hook" / CACHE
    kept = cache.read_bytes()
    cache.unlink()
    if damage == "a folder":
        cache.mkdir()
    elif damage != "missing":
        flipped = kept[:5000] + bytes([kept[5000] ^ 255]) + kept[5001:]
        cache.write_bytes({"empty": b"", "cut": kept[:-100], "flipped": flipped, "foreign": b"other" * 999}[damage])
    assert start(wired)
    if damage != "a folder":
        assert len(cache.read_bytes()) > 10_000
        assert start(wired)


def test_a_program_that_was_changed_is_compiled_anew(wired: WiredHome) -> None:
    program = wired.home / "hook" / "hook"
    text = program.read_text(encoding="utf-8")
    assert text.count("=== hardwon memory ===") >= 1
    program.write_text(text.replace("Recalled from earlier sessions.", "Recalled otherwise."), encoding="utf-8")
    assert "Recalled otherwise." in start(wired)


def test_where_it_cannot_be_kept_it_is_compiled_at_each_start(wired: WiredHome) -> None:
    """A full disk: no file can grow."""
    (wired.home / "hook" / CACHE).unlink()
    limited = ["/bin/sh", "-c", 'ulimit -f 0; exec "$0" "$@"', *wired.command]
    payload = wired.event("Start", source="startup")
    result = subprocess.run(limited, input=payload, capture_output=True, check=True, timeout=30)
    assert b"hardwon memory" in result.stdout
    assert not (wired.home / "hook" / CACHE).exists()


def test_a_start_that_was_killed_while_compiling_stops_nobody(wired: WiredHome) -> None:
    (wired.home / "hook" / CACHE).unlink()
    (wired.home / "hook" / f"{CACHE}.making").touch()
    assert start(wired)


def test_an_interpreter_that_lacks_a_module_captures_all_the_same(wired: WiredHome) -> None:
    """SQLite, for one, is not in every build of Python."""
    program = wired.home / "hook" / "hook"
    text = program.read_text(encoding="utf-8")
    begin = "\"hardwon.kernel.prompt\": r'''\n"
    assert begin in text
    program.write_text(text.replace(begin, f"{begin}import there_is_no_such_module\n"), encoding="utf-8")
    assert wired.run(wired.event("Stop", transcript="/t")).stdout == b""
    assert len(wired.records()) == 1
    assert (wired.home / "hook" / CACHE).exists()


def test_a_start_that_is_killed_while_compiling_leaves_nothing_that_is_taken(wired: WiredHome) -> None:
    cache = wired.home / "hook" / CACHE
    cache.unlink()
    for milliseconds in range(5, 105, 10):
        process = subprocess.Popen(wired.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        time.sleep(milliseconds / 1000)
        process.kill()
        process.communicate()
        if cache.exists():
            cache.unlink()
    left = [path.name for path in (wired.home / "hook").iterdir()]
    assert set(left) <= {"hook", "data.json", f"{CACHE}.making"}
    assert start(wired)


@pytest.mark.parametrize(
    "endless",
    ["while True: pass", "import re; re.match('(a+)+$', 'a' * 60 + 'b')", "import time; time.sleep(3600)"],
)
def test_whatever_never_ends_is_ended_at_the_deadline(wired: WiredHome, endless: str) -> None:
    program = wired.home / "hook" / "hook"
    text = program.read_text(encoding="utf-8")
    wired.write_data(settings=wired.data["settings"] | {"deadline": 0.3})
    begin = "def asked(prompt):\n"
    assert begin in text
    program.write_text(text.replace(begin, f"{begin}    {endless}\n"), encoding="utf-8")
    assert wired.run(wired.event("Prompt", prompt="why?")).stdout == b""
    wired.write_data(settings=wired.data["settings"] | {"deadline": 10.0})
    assert start(wired)


def test_twenty_starts_at_once_on_a_cold_machine_are_all_answered_alike(wired: WiredHome) -> None:
    """Nothing compiled, no index, no spool; the deadline is the one that users have."""
    (wired.home / "hook" / CACHE).unlink()
    payload = wired.event("Start", source="startup")
    processes = [
        subprocess.Popen(wired.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(20)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(payload)
        process.stdin.close()
    answers = []
    for process in processes:
        assert process.stdout is not None
        assert process.stderr is not None
        answers.append(process.stdout.read())
        assert (process.wait(timeout=60), process.stderr.read()) == (0, b"")
        process.stdout.close()
        process.stderr.close()
    assert len(set(answers)) == 1
    assert json.loads(answers[0])["said"]["text"]
    assert [path.name for path in (wired.home / "hook").iterdir() if "making" in path.name] == []


def test_no_socket_is_opened(wired: WiredHome) -> None:
    """A server that is dead, hung, foreign or slow changes nothing: there is none."""
    for name, fields in (("Start", {"source": "startup"}), ("Prompt", {"prompt": "x"}), ("Stop", {"transcript": "/t"})):
        assert not {"_socket", "socket", "ssl", "http", "urllib"} & imported(wired, wired.event(name, **fields))


def test_a_program_without_an_argument_says_nothing(wired: WiredHome) -> None:
    result = subprocess.run(wired.command[:-1], input=b"{}", capture_output=True, check=True, timeout=30)
    assert (result.stdout, result.stderr) == (b"", b"")


def test_it_is_one_file_that_a_person_can_read(tmp_path: Path) -> None:
    text = assembled([]).text
    assert '"hardwon.kernel.spool": r' in text
    assert "def put(home, record):" in text
    (tmp_path / "hook").write_text(text, encoding="utf-8")
    result = subprocess.run([PYTHON, "-I", "-S", str(tmp_path / "hook")], capture_output=True, check=True, timeout=30)
    assert (result.stdout, result.stderr) == (b"", b"")
