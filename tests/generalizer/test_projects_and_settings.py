"""What counts as enough: lessons and projects by the settings, projects by what they are, not by their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hardwon.generalizer.catalogue import Concept, read_catalogue
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.projects import save_projects

OpenHome = Callable[..., Home]


@pytest.fixture
def small() -> list[Concept]:
    return read_catalogue(Path(__file__).with_name("small_catalogue.toml"))


def in_projects(lessons: Sequence[MemoryEntry], *projects: str | None) -> list[MemoryEntry]:
    """Return lessons with other projects."""
    return [
        lesson.model_copy(update={"scope": Scope(project=project)})
        for lesson, project in zip(lessons, projects, strict=False)
    ]


@pytest.mark.parametrize(
    ("settings", "lessons", "projects", "proposed"),
    [
        ("", 3, ["a", "b", "b"], True),
        ("", 2, ["a", "b"], False),
        ("", 4, ["a", "a", "a", "a"], False),
        ("minimum_lessons = 2", 2, ["a", "b"], True),
        ("minimum_lessons = 4", 3, ["a", "b", "c"], False),
        ("minimum_lessons = 4", 4, ["a", "b", "b", "a"], True),
        ("minimum_projects = 1", 3, ["a", "a", "a"], True),
        ("minimum_projects = 3", 4, ["a", "b", "b", "a"], False),
        ("minimum_projects = 3", 4, ["a", "b", "c", "a"], True),
    ],
)
def test_the_settings_say_how_many(
    open_home: OpenHome,
    small: list[Concept],
    waiting: list[MemoryEntry],
    settings: str,
    lessons: int,
    projects: list[str],
    proposed: bool,
) -> None:
    home = open_home(f"[generalizer]\n{settings}\n", concepts=small, embedder=None)
    found = home.generalizer.propose(in_projects(waiting[:lessons], *projects), [], [], [])
    assert len(found) == proposed
    assert all(len(each.instances) == lessons and set(each.projects) == set(projects) for each in found)


def test_lessons_of_no_project_are_evidence_and_no_project(plain_home: Home, waiting: list[MemoryEntry]) -> None:
    alone = in_projects(waiting, "a", None, None, None)
    assert plain_home.generalizer.propose(alone, [], [], []) == []
    [proposal] = plain_home.generalizer.propose(in_projects(waiting, "a", "b", None, None), [], [], [])
    assert (proposal.projects, len(proposal.instances)) == (("a", "b"), 4)


def test_two_names_of_one_project_never_count_as_two(plain_home: Home, waiting: list[MemoryEntry]) -> None:
    plain_home.storage.memories.put(in_projects(waiting, "shop", "shop-old", "github.com/acme/shop", "shop"))
    assert len(consolidate(plain_home, dry_run=True).proposals) == 1
    save_projects(plain_home, ProjectBook({"shop-old": "github.com/acme/shop", "shop": "shop-old"}))
    result = consolidate(plain_home)
    assert (result.projects, result.proposals) == (1, ())


def test_an_alias_that_joins_two_projects_withdraws_what_stood_on_both(
    plain_home: Home, waiting: list[MemoryEntry]
) -> None:
    plain_home.storage.memories.put(in_projects(waiting, "shop", "shop", "shop-old", "shop-old"))
    [added] = consolidate(plain_home).added
    save_projects(plain_home, ProjectBook({"shop-old": "shop"}))
    assert consolidate(plain_home).withdrawn == (added,)


def test_a_closed_project_is_left_out_by_any_of_its_names(
    open_home: OpenHome, small: list[Concept], waiting: list[MemoryEntry]
) -> None:
    """A customer's lessons stand in no proposal, nor does their number count."""
    home = open_home("[projects.customer]\ngeneralize = false\n", concepts=small, embedder=None)
    home.storage.memories.put(in_projects(waiting, "customer-2024", "customer", "a", "b"))
    save_projects(home, ProjectBook({"customer-2024": "customer"}))
    result = consolidate(home)
    assert (result.kept_out, result.lessons, result.proposals) == (2, 2, ())


def test_what_a_closed_project_gave_is_taken_back(
    plain_home: Home, open_home: OpenHome, small: list[Concept], waiting: list[MemoryEntry]
) -> None:
    """A proposal that stood on it is withdrawn in the next night, or goes on without it."""
    plain_home.storage.memories.put(waiting)
    [added] = consolidate(plain_home).added
    closed = f"[projects.{waiting[0].scope.project}]\ngeneralize = false\n"
    home = open_home(closed, concepts=small, embedder=None, storage=plain_home.storage, queue=plain_home.queue)
    assert consolidate(home).refreshed == (added,)
    assert waiting[0].id not in {each.id for each in home.queue.find(added).instances}
