"""Several machines and processes on one schema: what each acknowledged is there, and they take turns."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreBusy
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.settings import PostgresSettings
from hardwon.kernel.use_cases.running.machines import TURN
from hardwon.kernel.use_cases.running.run import run, run_if_due
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, OpenHome

WRITER = """
import sys
from pathlib import Path
from hardwon.kernel.home import Home
from hardwon.kernel.settings import PostgresSettings, Settings
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.testing.examples import memory

url, schema, folder, name = sys.argv[1:]
home = Home(Path(folder), settings=Settings(postgres=PostgresSettings(url=url, schema_name=schema), embedder="none"))
home.create()
storage = PostgresStorage(home)
for number in range(8):
    with storage.operation("Count"):
        counted = int(storage.documents.read("count") or "0")
        storage.memories.put([memory(f"giraffe {name} {number}")])
        storage.documents.write("count", str(counted + 1))
storage.close()
"""

Start = Callable[[str], subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Callable[[PostgresSettings, str], subprocess.Popen[str]]:
    """Return a function that starts a process which writes as a machine of its own."""

    def started(settings: PostgresSettings, name: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WRITER, settings.url, settings.schema_name, str(tmp_path / name), name]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    return started


def test_processes_write_at_once(
    start: Callable[[PostgresSettings, str], subprocess.Popen[str]],
    open_home: OpenHome,
    new_postgres: PostgresSettings,
) -> None:
    """From the first moment, in which all of them make the tables; no count is lost between reading and writing."""
    writers = [start(new_postgres, f"machine-{number}") for number in range(3)]
    for writer in writers:
        told, _ = writer.communicate(timeout=120)
        assert writer.returncode == 0, told
    storage = PostgresStorage(open_home("reader", new_postgres))
    assert len(list(storage.memories.scan(Filter()))) == 24
    assert storage.documents.read("count") == "24"
    assert storage.database.rows("SELECT documents FROM search_totals") == [(24,)]
    assert storage.database.rows("SELECT documents FROM search_terms WHERE term = 'giraf'") in ([(24,)], [])
    storage.close()


def test_a_machine_that_vanishes_frees_the_lock(
    start: Callable[[PostgresSettings, str], subprocess.Popen[str]], open_store: Open, postgres: PostgresSettings
) -> None:
    """Killed within an operation, it leaves nothing of that operation and hinders nobody."""
    storage = open_store()
    writer = start(postgres, "killed")
    while not storage.documents.read("count"):
        assert writer.poll() is None
    writer.kill()
    writer.communicate()
    storage.memories.put([memory("after")])
    counted = int(storage.documents.read("count") or 0)
    assert len(list(storage.memories.scan(Filter()))) == counted + 1


def test_many_threads_share_few_connections(open_home: OpenHome, postgres: PostgresSettings) -> None:
    """More callers than connections wait for one another; none fails."""
    storage = PostgresStorage(open_home("home", postgres.model_copy(update={"connections": 3})))
    storage.memories.put([memory(f"giraffe {number}") for number in range(30)])

    def use(number: int) -> int:
        if number % 4 == 0:
            storage.memories.put([memory(f"elephant {number}")])
        return len(storage.memories.search(Query(text="giraffe", by_words=True)).candidates)

    with ThreadPoolExecutor(24) as pool:
        assert set(pool.map(use, range(48))) == {30}
    assert len(list(storage.memories.scan(Filter()))) == 42
    storage.close()


def test_the_fewest_connections_are_enough_for_a_turn(open_home: OpenHome, postgres: PostgresSettings) -> None:
    """Within a turn an operation writes what stays whatever becomes of it, however few connections are allowed."""
    few = postgres.model_copy(update={"connections": 1, "lock_timeout": 0.5})
    storage = PostgresStorage(open_home("home", few))
    with storage.turn(TURN), storage.operation("Learn"):
        storage.ledger.append([Activity(kind="recall", at=MOMENT)])
    assert [each.kind for each in storage.ledger.activity()] == ["recall"]
    storage.close()


class TestConsolidation:
    """Runs of two machines on one memory."""

    def test_they_take_turns(self, open_home: OpenHome) -> None:
        """While one is at it, the other's run by hand says so, and its planned run is not made."""
        one, other = open_home("one"), open_home("other")
        one.__dict__["storage"], other.__dict__["storage"] = PostgresStorage(one), PostgresStorage(other)
        with one.storage.turn(TURN) as got:  # type: ignore[attr-defined]
            assert got
            with pytest.raises(StoreBusy, match="Another machine"):
                run(other, "command")
            assert run_if_due(other, "session") is None
        assert run(other, "command") is not None
        one.close()
        other.close()

    def test_a_turn_ends_with_its_holder(self, open_home: OpenHome) -> None:
        """Also where the holder did not give it back."""
        one, other = (PostgresStorage(open_home(name)) for name in ("one", "other"))
        held = one.turn(TURN)
        assert held.__enter__()
        with other.turn(TURN) as got:
            assert not got
        held.__exit__(None, None, None)
        with other.turn(TURN) as got:
            assert got
        one.close()
        other.close()
