"""Holds a store's lock for a minute, and fills its disk; what was acknowledged must be there, and nothing else.

`python stores_in_trouble.py locked STORE HOME [SECONDS]`: another process is in an operation for so long; reading goes
on, a writer waits or is told in time. `python stores_in_trouble.py full STORE HOME`: HOME lies on a file system of a
few megabytes, which is filled up; a call that fails leaves nothing, and when there is room again the same open store
writes. Both print what happened as JSON.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import sys
import time
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from mixed_writes import Writer, copied, truth
from stores_killed import prepared_home, running_server, storage_of

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.kernel.query import Filter, Query
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeStorage, Kept

KEPT_FREE = 300_000
"""Bytes that are left of the disk before the writes that fill it."""


def _hold(home: Path, seconds: float, held: Event) -> None:
    storage = storage_of(home)
    with storage.operation("Hold"):
        storage.memories.put([memory("held giraffe")])
        held.set()
        time.sleep(seconds)
    storage.close()


def locked(home: Path, seconds: float = 60.0) -> dict[str, Any]:
    """Read and write while another process is in an operation; return how long each took, in seconds."""
    context = multiprocessing.get_context("fork")
    held = context.Event()
    storage = storage_of(home)
    storage.memories.put([memory("before giraffe")])
    storage.close()
    holder = context.Process(target=_hold, args=(home, seconds, held))
    holder.start()
    assert held.wait(60)
    storage = storage_of(home)
    reads = []
    for _ in range(20):
        began = time.monotonic()
        assert len(storage.memories.search(Query(text="giraffe")).candidates) == 1
        assert len(list(storage.memories.scan(Filter()))) == 1
        reads.append(time.monotonic() - began)
    told, began = "written once the lock was free", time.monotonic()
    try:
        storage.memories.put([memory("waiting giraffe")])
    except StoreBusy as error:
        told = str(error)
    waited = time.monotonic() - began
    holder.join()
    storage.memories.put([memory("after giraffe")])
    found = sorted(entry.content for entry in storage.memories.scan(Filter()))
    storage.close()
    wanted = {"before giraffe", "held giraffe", "after giraffe"} | ({"waiting giraffe"} if "written" in told else set())
    assert set(found) == wanted, found
    return {
        "held": seconds,
        "slowest of 20 reads": round(max(reads), 3),
        "writer waited": round(waited, 1),
        "told": told,
    }


def full(home: Path) -> dict[str, Any]:
    """Fill the disk; write until it is full, three times over; return how many calls were made and refused."""
    kept, chance = Kept(), random.Random(3)
    storage = storage_of(home)
    counts = {"acknowledged": 0, "refused": 0}
    said = ""
    for _ in range(3):
        filler = home.parent / "filler"
        _fill(filler)
        refused = 0
        while refused < 5 and counts["acknowledged"] < 3000:
            writer = Writer(storage, chance)
            step = writer.draw()
            try:
                writer.do(step)
            except StoreError as error:
                said, refused = str(error), refused + 1
                continue
            after = copied(kept)
            Writer(FakeStorage(after), random.Random(0)).do(step)
            kept, counts["acknowledged"] = after, counts["acknowledged"] + 1
        counts["refused"] += refused
        filler.unlink()
        _compare(storage, kept)
        storage.close()
        storage = storage_of(home)
        _compare(storage, kept)
    storage.close()
    return {**counts, "said": said}


def _fill(path: Path) -> None:
    import shutil

    with path.open("wb") as file:
        while (free := shutil.disk_usage(path.parent).free) > KEPT_FREE:
            file.write(b"\0" * min(65536, free - KEPT_FREE + 1))
            file.flush()


def _compare(storage: Any, kept: Kept) -> None:
    seen, wanted = truth(storage), truth(FakeStorage(kept))
    different = {name: (wanted[name], seen[name]) for name in wanted if wanted[name] != seen[name]}
    assert not different, different


def main(what: str, store: str, home: Path, *seconds: float) -> None:
    """Make the trouble; print what happened."""
    with running_server(store) as server:
        prepared_home(store, home, server)
        print(json.dumps({"locked": locked, "full": full}[what](home, *seconds), ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), *map(float, sys.argv[4:]))
