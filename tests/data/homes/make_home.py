"""Makes a small home with the code that is on the path: run once by the code of each former format, then kept.

git archive COMMIT kernel stores generalizer review_queue plugins/cli | tar x -C FOLDER
PYTHONPATH=FOLDER/kernel:FOLDER/stores:… python tests/data/homes/make_home.py HOME
tar czf tests/data/homes/index-N.tar.gz -C HOME .
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry, Status, Times
from hardwon.kernel.proposal import Decision, Instance, Proposal
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Scope

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
IDS = [f"01kjmma2g0c2zt1k{number:02d}" for number in range(12)]


def lesson(number: int, project: str, content: str, **fields: object) -> MemoryEntry:
    """Return a lesson."""
    given = {"id": IDS[number], "scope": Scope(project=project), "times": Times(asserted_at=AT), "content": content}
    return MemoryEntry(**(given | fields))  # type: ignore[arg-type]


def main(path: Path) -> None:
    """Make the home."""
    home = Home(path)
    home.create()
    (path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    storage = home.storage
    told = [
        lesson(0, "shop", "The settings file was half written.", lesson=Lesson(principle="Write aside, then rename.")),
        lesson(1, "blog", "设置文件写到一半断电，文件损坏。", tags=("文件",)),
        lesson(2, "maps", "A kernel panic left an empty cache file.", topics=("storage.files",)),
        lesson(3, "shop", "An old truth.", status=Status.ARCHIVED, metadata={"mine": [1, "two", None]}),
    ]
    storage.memories.put(told)
    edges = [
        Relation(source=IDS[0], kind=RelationKind.SUPERSEDES, target=IDS[3], asserted_at=AT, note="新"),
        Relation(source=IDS[1], kind=RelationKind.RELATES_TO, target=IDS[2], asserted_at=AT),
    ]
    storage.memories.relate(edges)
    storage.memories.unrelate(edges[1:], datetime(2026, 3, 2, tzinfo=UTC))
    storage.memories.update(IDS[2], {"importance": 0.9})
    covered = tuple(
        Instance(id=each.id, project=each.scope.project, revision=each.revision, evidence=each.content)
        for each in told[:3]
    )
    home.queue.add([Proposal(id="01kjmma2g0propose0", rule="Write aside.", instances=covered, created_at=AT)])
    storage.ledger.decide(Decision(id="01kjmma2g0decided0", proposal="elsewhere", action="reject", by="ada", at=AT))
    storage.ledger.append([Activity(kind="shown", at=AT, memory=IDS[0])])
    storage.documents.write("projects.toml", 'version = 1\n\n[aliases]\n"acme/shop" = "shop"\n')
    home.close()
    (path / "memory" / "digest" / "shop" / "broken.md").write_bytes(b"---\nid: [\nkind: lesson\n---\nMine.\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
