"""Somebody removes the log of the open file, as a leftover: nothing acknowledged is lost or read in part."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.kernel.query import Filter
from hardwon.testing.examples import memory

from .conftest import Open

LOG = ("-wal",)
ALL = ("-wal", "-shm")


def take_away(file: Path, endings: tuple[str, ...]) -> None:
    for ending in endings:
        Path(f"{file}{ending}").unlink()


def found(open_store: Open) -> set[str]:
    return {each.content for each in open_store().memories.scan(Filter())}


def in_a_killed_process(work: object) -> None:
    """Do the work in a child that ends without closing anything."""
    child = os.fork()
    if child == 0:
        try:
            work()  # type: ignore[operator]
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def in_another_program(file: Path) -> None:
    """Put a memory in no child of this process: that would have a removed table of pages open as well."""
    code = (
        "import os, sys; from pathlib import Path; from hardwon.kernel.home import Home; from hardwon.testing.examples"
        " import memory; from hardwon.stores.sqlite.storage import open_sqlite;"
        "open_sqlite(Home(Path(sys.argv[1]))).memories.put([memory('of another')]); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(file.parent)], check=True)


@pytest.mark.parametrize("endings", [LOG, ALL])
def test_what_was_acknowledged_before_and_after_survives_a_kill(
    open_store: Open, file: Path, endings: tuple[str, ...]
) -> None:
    def work() -> None:
        memories = open_store().memories
        memories.put([memory("before")])
        take_away(file, endings)
        memories.put([memory("after")])
        take_away(file, endings)
        memories.put([memory("after that")])

    in_a_killed_process(work)
    assert found(open_store) == {"before", "after", "after that"}


def test_it_is_noticed_while_an_operation_is_under_way(open_store: Open, file: Path) -> None:
    """Its end is acknowledged only once what it wrote has a name again."""

    def work() -> None:
        storage = open_store()
        with storage.operation("Two"):
            storage.memories.put([memory("one")])
            take_away(file, LOG)
            storage.memories.put([memory("two")])

    in_a_killed_process(work)
    assert found(open_store) == {"one", "two"}


def test_threads_that_had_it_open_go_on_with_all_of_it(open_store: Open, file: Path) -> None:
    storage = open_store()
    storage.memories.put([memory("first")])
    looked, taken = threading.Event(), threading.Event()
    seen: list[set[str]] = []

    def look() -> None:
        list(storage.memories.scan(Filter()))
        looked.set()
        taken.wait()
        storage.memories.put([memory("third")])
        seen.append({each.content for each in storage.memories.scan(Filter())})

    other = threading.Thread(target=look)
    other.start()
    looked.wait()
    take_away(file, LOG)
    storage.memories.put([memory("second")])
    taken.set()
    other.join()
    assert seen == [{"first", "second", "third"}] == [found(open_store)]


def test_threads_that_had_the_table_of_pages_open_too_wait_for_each_other(open_store: Open, file: Path) -> None:
    """Else SQLite would go on with a table that other programs do not have, and each write over the other's."""
    storage = open_store()
    storage.memories.put([memory("first")])
    with ThreadPoolExecutor(1) as other:
        other.submit(lambda: list(storage.memories.scan(Filter()))).result()
        take_away(file, ALL)
        with pytest.raises(StoreBusy, match="other threads"):
            storage.memories.put([memory("refused")])
        in_another_program(file)
        with pytest.raises(StoreBusy, match="other threads"):
            storage.memories.put([memory("refused")])
    storage.memories.put([memory("second")])
    assert found(open_store) == {"first", "of another", "second"}
    assert not open_store().verify()


def test_a_thread_that_comes_as_the_last_connection_is_closed_is_refused_nothing(open_store: Open) -> None:
    """SQLite itself takes the table of pages away then, and nobody has it open any more."""
    storage = open_store()
    storage.memories.put([memory("first")])
    storage._sqlite.close()
    comes = threading.Event()

    class Closed:
        """A connection that is closed, of which the thread that closes it does not know so yet."""

        def __init__(self, connection: sqlite3.Connection) -> None:
            self._connection = connection

        def close(self) -> None:
            self._connection.close()
            comes.set()
            wait([other], timeout=0.5)

    def come() -> None:
        comes.wait()
        storage.memories.put([memory("second")])

    def go() -> None:
        held = storage._sqlite.held
        held.connection = Closed(held.connection)  # type: ignore[assignment]
        held.close()

    with ThreadPoolExecutor(2) as threads:
        other = threads.submit(come)
        threads.submit(go).result()
        other.result()
    assert found(open_store) == {"first", "second"}


def test_who_comes_meanwhile_is_told_and_then_reads_all(open_store: Open, file: Path) -> None:
    """Never a part of it; and a question of who had it open is enough."""
    storage = open_store()
    storage.memories.put([memory("first")])
    take_away(file, LOG)
    with pytest.raises(StoreError, match="-wal is not whole"):
        found(open_store)
    list(storage.memories.scan(Filter()))
    assert found(open_store) == {"first"}


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_log_that_follows_one_whose_all_is_in_the_file_is_gone_on_with(
    open_store: Open, file: Path, goes_on: bool
) -> None:
    """Nothing is copied from the old one any more, by a question or at the end: the pages it has are others."""
    storage = open_store()
    storage.memories.put([memory(f"old {number}") for number in range(50)])
    storage._sqlite.held.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    take_away(file, LOG)
    in_a_killed_process(lambda: open_store().memories.put([memory("new")]))
    if goes_on:
        assert len(list(storage.memories.scan(Filter()))) == 51
        storage.memories.put([memory("last")])
    storage.close()
    assert len(found(open_store)) == 51 + goes_on
    assert not open_store().verify()


def test_what_cannot_be_brought_in_is_said_to_be_written(open_store: Open, file: Path) -> None:
    """Else it would be written once more; as soon as nobody reads the log, the next question brings it in."""
    storage, reader = open_store(), open_store()
    storage.memories.put([memory("first")])
    storage._sqlite.held.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    told = pytest.raises(StoreError, match=r"It was written, but .* ask this program")
    with reader.snapshot(), told, storage.operation("Second"):
        storage.memories.put([memory("second")])
        take_away(file, LOG)
    assert {each.content for each in storage.memories.scan(Filter())} == {"first", "second"} == found(open_store)


def test_a_log_that_another_program_began_since_is_not_written_over(open_store: Open, file: Path) -> None:
    """Who has the old one open is refused: both would be lost."""
    storage = open_store()
    storage.memories.put([memory("first")])
    take_away(file, ALL)
    in_a_killed_process(lambda: file.with_name("memory.sqlite-wal").write_bytes(b"another's"))
    with pytest.raises(StoreError, match="another program has begun a new one"):
        storage.memories.put([memory("second")])
    assert file.with_name("memory.sqlite-wal").read_bytes() == b"another's"


@pytest.mark.parametrize("is_told", [True, False])
def test_what_another_program_wrote_since_is_there_when_who_had_the_old_log_has_ended(
    open_store: Open, file: Path, is_told: bool
) -> None:
    """Also where nobody asked anything in between."""
    storage = open_store()
    storage.memories.put([memory("in the file")])
    storage._sqlite.held.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    storage.memories.put([memory("in the old log alone")])
    take_away(file, ALL)
    in_another_program(file)
    if is_told:
        with pytest.raises(StoreError, match="another program has begun a new one"):
            storage.memories.put([memory("refused")])
    storage.close()
    assert found(open_store) == {"in the file", "of another"}
    assert not open_store().verify()
