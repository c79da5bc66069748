"""What is exported for other people holds what was marked for them, and nothing else that a memory has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Problem
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Visibility
from hardwon.kernel.use_cases.moving.exporting import archive_lines, shared_lines
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.kernel.visibility import may_be_handed_on
from hardwon.testing.examples import MOMENT, complete_memory, memory
from hardwon.testing.fakes import open_fake_home


@pytest.mark.parametrize("visibility", [*Visibility, "", "public"])
def test_what_is_private_or_unknown_is_not_handed_on(visibility: str) -> None:
    assert may_be_handed_on(visibility) is visibility.startswith("shared-")


def test_only_what_is_shared_and_links_among_it_are_handed_on(home: Home, tmp_path: Path) -> None:
    """Of a home with one of everything: no former states, proposals, decisions, sessions, documents or lists."""
    kinds: list[dict[str, Any]] = [
        {"visibility": Visibility.SHARED_READ},
        {"visibility": Visibility.SHARED_WRITE},
        {"visibility": Visibility.SHARED_APPEND, "status": Status.ARCHIVED},
        {"visibility": Visibility.PRIVATE},
    ]
    one, two, old, own = home.storage.memories.put(
        [memory(f"kept {number}").model_copy(update=each) for number, each in enumerate(kinds)]
    )
    pairs = [(one, two), (one, own), (own, two), (two, old)]
    home.storage.memories.relate(
        [Relation(source=a.id, kind=RelationKind.RELATES_TO, target=b.id, asserted_at=MOMENT) for a, b in pairs]
    )
    home.storage.memories.update(one.id, {"content": "kept 0, and said better"})
    shared = [each for each in home.storage.memories.scan(Filter()) if each.visibility is not Visibility.PRIVATE]
    lines = list(shared_lines(home, []))
    records = [json.loads(line) for line in lines]
    assert {each["id"] for each in records if each["type"] == "memory"} == {each.id for each in shared}
    links = [(each["source"], each["target"]) for each in records if each["type"] == "relation"]
    assert (one.id, two.id) in links
    assert not {own.id, old.id} & {end for link in links for end in link}
    assert {each["type"] for each in records[1:-1]} == {"memory", "relation"}
    assert len(lines) < len(list(archive_lines(home, [])))
    path = tmp_path / "shared.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    restored = restore(open_fake_home(tmp_path / "theirs"), path)
    assert (restored.taken, restored.failed) == (len(shared), [])


def test_where_and_in_whose_words_it_was_learned_is_not_handed_on(tmp_path: Path) -> None:
    """A session, a path of this machine, a quotation: nobody marked those as shared. All else is what it was."""
    home = open_fake_home(tmp_path / "ours")
    [kept] = home.storage.memories.put(
        [complete_memory().model_copy(update={"visibility": Visibility.SHARED_READ, "status": Status.ACTIVE})]
    )
    _, record, _ = (json.loads(line) for line in shared_lines(home, []))
    whole = {"type": "memory", **kept.model_dump(mode="json")}
    assert {name for name in whole if record[name] != whole[name]} == {"source"}
    named = {name for name, value in record["source"].items() if value is not None}
    assert named == {"said_by", "harness", "agent", "url"}


@pytest.mark.parametrize("line", ["", ":3"])
def test_what_cannot_be_read_is_not_handed_on_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """It may say by now that it is private: it is left out and told, and so are its links."""
    home = open_fake_home(tmp_path / "ours")
    one, broken = home.storage.memories.put(
        [memory(text).model_copy(update={"visibility": Visibility.SHARED_READ}) for text in ("one", "broken")]
    )
    home.storage.memories.relate(
        [Relation(source=one.id, kind=RelationKind.RELATES_TO, target=broken.id, asserted_at=MOMENT)]
    )
    told = Problem(where=f"{tmp_path / broken.id}{line}", what="It cannot be read; mend it.")
    monkeypatch.setattr(home.storage, "path_of", lambda id: tmp_path / id, raising=False)
    monkeypatch.setattr(home.storage, "problems", lambda: [told])
    problems: list[Problem] = []
    records = [json.loads(each) for each in shared_lines(home, problems)]
    assert [each["id"] for each in records if each["type"] == "memory"] == [one.id]
    assert "relation" not in {each["type"] for each in records}
    assert problems == [told]
