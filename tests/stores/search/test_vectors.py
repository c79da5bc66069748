"""The file of vectors serves several processes, and losing it loses nothing but time."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardwon.kernel.errors import NewerFormat, StoreError
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.stores.search.vectors import VectorFile

VECTOR = to_bytes([1.0, 0.0])
USES: dict[str, Callable[[VectorFile], object]] = {
    "fetch": lambda file: file.fetch("space", ["a"]),
    "keep": lambda file: file.keep("space", {"a": VECTOR}),
    "spaces": lambda file: file.spaces(),
    "walk": lambda file: list(file.walk("space")),
}


@pytest.fixture
def file(tmp_path: Path) -> Iterator[VectorFile]:
    file = VectorFile(tmp_path / "vectors.sqlite")
    yield file
    file.close()


def test_reading_makes_no_file(file: VectorFile) -> None:
    assert file.fetch("space", ["a"]) == {}
    assert not file.path.exists()


def test_the_file_is_for_its_owner_alone(file: VectorFile) -> None:
    file.keep("space", {"a": VECTOR})
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_threads_and_processes_keep_at_once(file: VectorFile) -> None:
    """Nothing that was kept is missing afterwards."""
    program = (
        "import sys; from pathlib import Path; from hardwon.stores.search.vectors import VectorFile\n"
        "file = VectorFile(Path(sys.argv[1]))\n"
        "for number in range(30): file.keep('space', {f'{sys.argv[2]}-{number}': bytes(8)})\n"
        "file.close()"
    )
    command = [sys.executable, "-c", program, str(file.path)]
    processes = [subprocess.Popen([*command, name]) for name in ("p", "q")]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: file.keep("space", {f"t-{number}": VECTOR}), range(60)))
    assert [process.wait(60) for process in processes] == [0, 0]
    keys = [f"{name}-{number}" for name in "pq" for number in range(30)] + [f"t-{number}" for number in range(60)]
    assert set(file.fetch("space", keys)) == set(keys)


@pytest.mark.parametrize("use", USES)
def test_a_damaged_file_is_begun_anew_within_the_call_that_finds_it_so(file: VectorFile, use: str) -> None:
    """Whatever the call is, it does its work; the user is told, and nothing of the file is removed."""
    told: list[str] = []
    file = VectorFile(file.path, told.append)
    file.path.write_bytes(b"this is no database" * 500)
    USES[use](file)
    assert [("damaged" in each, "made anew" in each) for each in told] == [(True, True)]
    file.keep("space", {"a": VECTOR})
    assert file.fetch("space", ["a"]) == {"a": VECTOR}
    file.close()
    [aside] = file.path.parent.glob("*.damaged-*")
    assert aside.read_bytes().startswith(b"this is no database")


def test_a_file_damaged_while_it_is_open_is_begun_anew(file: VectorFile) -> None:
    """A page in the middle is overwritten; the connection that read it before is of no use any more."""
    file.keep("space", {f"{number:04}": bytes(1536) for number in range(500)})
    file.close()
    with file.path.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"x" * 200_000)
    assert file.fetch("space", [f"{number:04}" for number in range(500)]) == {}
    file.keep("space", {"a": VECTOR})
    assert file.fetch("space", ["a"]) == {"a": VECTOR}


def test_what_may_only_be_read_is_read(file: VectorFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests may run as root, whom no rights stop: access is denied by what asks for it."""
    file.keep("space", {"a": VECTOR})
    file.close()
    monkeypatch.setattr("os.access", lambda *_: False)
    assert file.fetch("space", ["a"]) == {"a": VECTOR}
    with pytest.raises(StoreError, match="rights"):
        file.keep("space", {"b": VECTOR})


def test_a_sound_file_is_not_set_aside_for_a_reader_who_lost_the_connection(file: VectorFile) -> None:
    """Another thread closes the store while this one reads."""
    file.keep("space", {"a": VECTOR})

    def read(connection: sqlite3.Connection) -> None:
        file.close()
        connection.execute("SELECT 1")

    with pytest.raises(StoreError, match="open the home again"):
        file._healed(read)
    assert list(file.path.parent.glob("*.damaged-*")) == []
    assert file.fetch("space", ["a"]) == {"a": VECTOR}


def test_a_newer_format_is_not_touched(file: VectorFile) -> None:
    connection = sqlite3.connect(file.path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = file.path.read_bytes()
    with pytest.raises(NewerFormat):
        file.keep("space", {"a": VECTOR})
    assert file.path.read_bytes() == before


def test_closing_twice_is_harmless(file: VectorFile) -> None:
    file.keep("space", {"a": VECTOR})
    file.close()
    file.close()
    assert file.fetch("space", ["a"]) == {"a": VECTOR}
