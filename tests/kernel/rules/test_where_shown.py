"""In which project a rule was shown is recorded, by whomever it was shown."""

from __future__ import annotations

import json
from pathlib import Path

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.identity import identify
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Query
from hardwon.kernel.scope import Context
from hardwon.kernel.use_cases.projects import load_projects, save_projects
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.rules.health import health_of
from hardwon.kernel.use_cases.showing import take_shown
from hardwon.testing.examples import MOMENT


def shown_in(home: Home, rule: MemoryEntry) -> tuple[str, ...]:
    return health_of(home, [rule])[rule.id].shown_in


def test_a_question_is_of_the_project_that_it_is_asked_in(home: Home, rule: MemoryEntry) -> None:
    recall(home, Query(text="a time limit on the network call", context=Context(project="shop")), session="s")

    assert shown_in(home, rule) == ("shop",)


def test_what_a_hook_showed_is_of_the_folder_that_the_agent_works_in(
    home: Home, rule: MemoryEntry, tmp_path: Path
) -> None:
    folder = tmp_path / "projects" / "shop"
    folder.mkdir(parents=True)
    record = {
        "format": 1, "harness": "codex", "moment": "shown", "session": "s", "folder": str(folder), "turn": "t",
        "at": MOMENT.timestamp(), "shown": [[rule.id, "direct", 0.5]],
    }  # fmt: skip
    spool.put(str(home.path), json.dumps(record).encode())

    take_shown(home)

    identity = identify(folder)
    assert shown_in(home, rule) == ((identity.key,) if identity else ())


def test_two_names_of_one_project_are_one(home: Home, rule: MemoryEntry) -> None:
    for name in ("shop", "github.com/acme/shop"):
        recall(home, Query(text="a time limit on the network call", context=Context(project=name)), session=name)
    save_projects(home, load_projects(home).with_alias("shop", "github.com/acme/shop"))

    assert shown_in(home, rule) == ("github.com/acme/shop",)
