"""What lies on disk is derived: cut off, damaged, removed or out of reach, the layer answers as the store would."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import background
from hardwon.stores.search import space as space_module
from hardwon.stores.vectors.folder import HEAD, LOCK, VectorFolder

Making = Callable[..., Any]
HOLDING = """
import sys, time
from pathlib import Path
from hardwon.kernel import background
with background.alone(Path(sys.argv[1])) as free:
    print(free, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write every change to disk."""
    monkeypatch.setattr(space_module, "KEPT_IN_MEMORY", 0)


@pytest.fixture
def store(make_store: Making) -> Any:
    return make_store(60)


def files(folder: Path) -> list[Path]:
    """Return every file below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_everything_is_for_its_owner_alone(store: Any, answering: Any, tmp_path: Path) -> None:
    answering(store, tmp_path / "vectors").arrange()
    folders = [path for path in (tmp_path / "vectors").rglob("*") if path.is_dir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files(tmp_path)} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in [tmp_path / "vectors", *folders]} == {0o700}


def damages() -> dict[str, Callable[[Path], None]]:
    """Return by name what may happen to a file."""

    def shorten(path: Path) -> None:
        path.write_bytes(path.read_bytes()[:-7])

    def lengthen(path: Path) -> None:
        path.write_bytes(path.read_bytes() + b"more")

    def blank(path: Path) -> None:
        path.write_bytes(b"\0" * path.stat().st_size)

    def swap(path: Path) -> None:
        path.write_bytes(path.read_bytes().replace(b'"format": 1', b'"format": 9'))

    return {
        "removed": Path.unlink,
        "emptied": lambda path: path.write_bytes(b"") and None,
        "shortened": shorten,
        "lengthened": lengthen,
        "blanked, as after a power cut": blank,
        "of another format": swap,
    }


@pytest.mark.parametrize("damage", damages())
@pytest.mark.parametrize("ending", [HEAD, ".rows"])
def test_a_damaged_file_is_made_anew(
    store: Any, answering: Any, questions: Any, tmp_path: Path, damage: str, ending: str
) -> None:
    answering(store, tmp_path).arrange()
    damaged = [path for path in files(tmp_path) if path.name == ending or path.suffix == ending]
    assert damaged
    for path in damaged:
        damages()[damage](path)
    answering(store, tmp_path).check(questions)
    store.asked = 0
    answering(store, tmp_path).check(questions)
    assert store.asked == 0, "it was not made anew on disk"


def test_a_head_of_which_one_digit_is_another_is_not_believed(store: Any, answering: Any, tmp_path: Path) -> None:
    """It would say of changes that they are known."""
    answering(store, tmp_path).arrange()
    [head] = tmp_path.rglob(HEAD)
    folder = VectorFolder(tmp_path, "space", 24)
    assert folder.read()[0].documents == 60
    raw = head.read_bytes()
    assert raw.count(b'"documents": 60') == 1
    head.write_bytes(raw.replace(b'"documents": 60', b'"documents": 61'))
    assert folder.read()[0].last == -1


class Crash(Exception):
    """The process ends here."""


@pytest.mark.parametrize("work", ["write", "arrange"])
def test_a_crash_between_any_two_writes_is_harmless(
    make_store: Making, answering: Any, questions: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """Every rename, removal and opening for writing fails once; whoever comes next finds a state that was."""
    crashes = 0
    for step in range(60):
        store, folder = make_store(40), tmp_path / str(step)
        answering(store, folder).arrange()
        for number in range(3, 20):
            store.put(number, f"en:again-{number}")
            store.embed(f"en:again-{number}", questions[number % 3] + number / 50)
        with monkeypatch.context() as patch:
            counted = iter(range(step))
            for name in ("replace", "unlink", "open"):
                patch.setattr(os, name, crashing(getattr(os, name), counted))
            changed = answering(store, folder)
            with contextlib.suppress(Crash):
                changed.collection() if work == "write" else changed.arrange()
                crashes = step
        answering(store, folder).check(questions)
        if crashes:
            break
    assert crashes > 5


def crashing(real: Callable[..., Any], left: Any) -> Callable[..., Any]:
    """Return a function that ends the process when nothing is left of its steps."""

    def work(*arguments: Any, **named: Any) -> Any:
        if next(left, None) is None:
            raise Crash
        return real(*arguments, **named)

    return work


def test_while_another_process_writes_nothing_waits(store: Any, answering: Any, questions: Any, tmp_path: Path) -> None:
    """What it would write stays in memory, and the answer is as right."""
    space = answering(store, tmp_path)
    space.check(questions)
    [lock] = tmp_path.rglob(LOCK)
    head = lock.with_name(HEAD).read_bytes()
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        store.put(5, "en:new")
        store.embed("en:new", questions[0])
        space.check(questions)
        assert lock.with_name(HEAD).read_bytes() == head
        other.communicate("")
    store.put(6, "en:new")
    space.check(questions)
    assert lock.with_name(HEAD).read_bytes() != head
    assert not background.is_held(lock)


def test_two_processes_see_what_the_other_wrote(store: Any, answering: Any, questions: Any, tmp_path: Path) -> None:
    """One has the old segments open while the other removes them."""
    one, other = answering(store, tmp_path), answering(store, tmp_path)
    one.check(questions)
    other.check(questions)
    for number in range(1, 50):
        store.remove(number)
    one.arrange()
    other.check(questions)
    one.check(questions)


@pytest.mark.parametrize("call", ["mkdir", "open"])
def test_a_folder_that_cannot_be_written_stops_nothing(
    store: Any, answering: Any, questions: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """As on a full disk or a read-only home: everything is in memory then."""

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, full)
    space = answering(store, tmp_path / "vectors")
    space.check(questions)
    store.remove(3)
    space.check(questions)


def test_a_space_never_mixes_with_another_and_going_back_reads_nothing(
    make_store: Making, answering: Any, questions: Any, tmp_path: Path
) -> None:
    """Each has a folder of its own, which waits for its return."""
    from hardwon.stores.search.space import Space

    store = make_store(60)
    answering(store, tmp_path).arrange()
    other: Any = Space("other", 96, store, tmp_path, "exact")
    assert other.bring_up_to_date(store).count == 0
    store.read = store.asked = 0
    answering(store, tmp_path).check(questions)
    assert (store.read, store.asked) == (0, 0)


def test_what_is_no_longer_named_is_removed(store: Any, answering: Any, questions: Any, tmp_path: Path) -> None:
    """A segment is written anew when a quarter of its rows are of removed documents."""
    space = answering(store, tmp_path)
    space.arrange()
    before = {path.name for path in files(tmp_path) if path.suffix == ".rows"}
    for number in range(1, 40):
        store.remove(number)
    space.arrange()
    after = {path.name for path in files(tmp_path) if path.suffix == ".rows"}
    assert len(after) == 2
    assert not before & after
    space.check(questions)
