"""Imports past sessions and is killed, again and again in one home, each time later; then imports to the end.

`python import_killed.py HOME WRITES…`: for each number, a child process that an audit hook kills (SIGKILL) before that
write of its own. Prints how everything stands in the end, and how many of them were killed, as JSON.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

from killing import killed_at

from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases import sessions

sessions.BATCH = 20  # several changes of the history, each of which may be cut off


def imported(home: Path) -> None:
    """Import all that the harness keeps."""
    with Home(home) as opened:
        opened.create()
        sessions.import_sessions(opened, "fake", project="shop")


def main(home: Path, writes: list[int]) -> None:
    """Be killed before each of these writes, then finish."""
    killed = sum(killed_at(number, partial(imported, home)) for number in writes)
    imported(home)
    with Home(home) as opened:
        found = {
            "killed": killed,
            "memories": sorted(entry.content for entry in opened.storage.memories.scan(Filter(statuses=None))),
            "turns": sum(each.turns for each in opened.storage.journal.sessions()),
            "blocks": sum(
                len(opened.storage.journal.of_session(each.session)) for each in opened.storage.journal.sessions()
            ),
            "problems": [f"{each.where}: {each.what}" for each in opened.storage.problems()],
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(number) for number in sys.argv[2:]])
