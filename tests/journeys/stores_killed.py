"""Writes mixed things to a store and is killed, again and again in one home; after each kill the truth is looked at.

`python stores_killed.py STORE HOME KILLS [SEED [SERVER_KILLS]]`: KILLS times a child process writes to the store, tells
of each call that was acknowledged, and is killed (SIGKILL) at a random moment. What was acknowledged must be there, and
what was under way wholly or not at all. For `postgres` a server of its own is started; every SERVER_KILLS rounds it is
killed in place of the client. Prints counts as JSON. By hand, on each store:

    python tests/journeys/stores_killed.py sqlite /tmp/home 500
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from mixed_writes import Step, Writer, copied, truth

from hardwon.kernel.errors import HardwonError
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Storage
from hardwon.testing.fakes import FakeStorage, Kept

if TYPE_CHECKING:
    from hardwon.stores.postgres.embedded import EmbeddedServer

LONGEST = 0.4
"""Seconds that a child writes before it is killed, at most."""
PATIENCE = 60.0


def _write_on(open_storage: Callable[[], Storage], seed: int, told: Connection) -> None:
    """Write until killed; say what comes next before it is begun, and when it was acknowledged."""
    writer = Writer(open_storage(), random.Random(seed))
    told.send("open")
    while True:
        step = writer.draw()
        told.send(step)
        try:
            writer.do(step)
        except HardwonError as error:
            told.send(f"{type(error).__name__}: {error}")
            return
        told.send(None)


class Rounds:
    """One round after another on one store, beside a fake that does what was acknowledged."""

    def __init__(self, open_storage: Callable[[], Storage], seed: int, kill_server: Callable[[], None] | None) -> None:
        self._open = open_storage
        self._chance = random.Random(seed)
        self._kill_server = kill_server
        self.kept = Kept()
        self.counts: Counter[str] = Counter()

    def round(self, *, server: bool) -> None:
        """Let a child write, kill it or the server, and look at what is there."""
        context = multiprocessing.get_context("fork")
        heard, told = context.Pipe(duplex=False)
        child = context.Process(target=_write_on, args=(self._open, self._chance.getrandbits(64), told), daemon=True)
        child.start()
        told.close()
        assert heard.poll(PATIENCE)
        assert heard.recv() == "open"
        time.sleep(self._chance.random() * LONGEST)
        if self._kill_server and server:
            self._kill_server()
            self.counts["server killed"] += 1
            time.sleep(self._chance.random() * LONGEST)  # who finds the way back writes on, until killed as well
        child.kill()
        self.counts["client killed"] += not (self._kill_server and server)
        under_way = self._heard(heard)
        child.join(PATIENCE)
        self._compare(under_way)

    def _heard(self, heard: Connection) -> Step | None:
        """Do in the fake what was acknowledged; return what was under way."""
        under_way: Step | None = None
        while heard.poll(PATIENCE):
            try:
                said = heard.recv()
            except (EOFError, OSError):
                break
            if said is None:
                assert under_way is not None
                Writer(FakeStorage(self.kept), random.Random(0)).do(under_way)
                self.counts["acknowledged"] += 1
                under_way = None
            elif isinstance(said, str):
                self.counts["told as an error"] += 1
            else:
                under_way = said
        return under_way

    def _compare(self, under_way: Step | None) -> None:
        storage = self._open()
        seen = truth(storage)
        storage.close()
        before = truth(FakeStorage(self.kept))
        if under_way is None or seen == before:
            self.counts["cut off and not there"] += under_way is not None
            different = [name for name in before if before[name] != seen[name]]
            assert not different, {name: (before[name], seen[name]) for name in different}
            return
        after = copied(self.kept)
        Writer(FakeStorage(after), random.Random(0)).do(under_way)
        wanted = truth(FakeStorage(after))
        different = [name for name in wanted if wanted[name] != seen[name]]
        assert not different, (under_way, {name: (before[name], wanted[name], seen[name]) for name in different})
        self.kept = after
        self.counts["cut off and there"] += 1


def storage_of(home: Path) -> Storage:
    """Open the store of a home, waiting for a server that is coming up."""
    given_up = time.monotonic() + PATIENCE
    while True:
        opened = Home(home)
        try:
            storage: Storage = opened.registry.get("stores", opened.settings.store)(opened)
            return storage
        except HardwonError:
            if time.monotonic() > given_up:
                raise
            time.sleep(0.05)


@contextmanager
def running_server(store: str) -> Iterator[EmbeddedServer | None]:
    """Yield a server where the store needs one."""
    if store != "postgres":
        yield None
        return
    from hardwon.stores.postgres.embedded import EmbeddedServer

    with EmbeddedServer() as server:
        yield server


def kill(server: EmbeddedServer) -> None:
    """Kill a server as a machine's crash does, and start it again over the same data."""
    note = server.folder / "data" / "postmaster.pid"
    postmaster = int(note.read_text(encoding="utf-8").split()[0])
    backends = _children_of(postmaster)
    os.kill(postmaster, signal.SIGKILL)
    server.interrupt()
    given_up = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{each}").exists() for each in backends) and time.monotonic() < given_up:
        time.sleep(0.02)
    note.unlink(missing_ok=True)
    server.start()


def _children_of(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def prepared_home(store: str, home: Path, server: EmbeddedServer | None) -> None:
    """Make a home whose memory that store keeps."""
    Home(home).create()
    address = f'[postgres]\nurl = "{server.url}"\n' if server else ""
    (home / "config.toml").write_text(f'store = "{store}"\nembedder = "none"\n{address}', encoding="utf-8")


def main(store: str, home: Path, kills: int, seed: int = 1, server_kills: int = 0) -> None:
    """Run the rounds; print the counts, or fail with the first difference."""
    began = time.monotonic()
    with running_server(store) as server:
        prepared_home(store, home, server)
        rounds = Rounds(lambda: storage_of(home), seed, (lambda: kill(server)) if server else None)
        for number in range(1, kills + 1):
            rounds.round(server=bool(server_kills) and number % server_kills == 0)
    print(json.dumps({**rounds.counts, "seconds": round(time.monotonic() - began)}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
