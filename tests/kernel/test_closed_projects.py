"""A project can be read and never be generalized from: a customer's code."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.testing.examples import related_lessons
from hardwon.testing.fakes import FakeStorage, open_fake_home


@pytest.fixture
def storage() -> FakeStorage:
    return FakeStorage()


def test_a_project_can_be_read_and_never_generalized_from(tmp_path: Path, storage: FakeStorage) -> None:
    """By any of its names."""
    storage.memories.put(related_lessons())
    (tmp_path / "config.toml").write_text("[projects.shop-old]\ngeneralize = false\n", encoding="utf-8")
    with open_fake_home(tmp_path, storage=storage) as home:
        save_projects(home, ProjectBook({"shop-old": "shop"}))
        result = consolidate(home)
    assert (result.kept_out, result.lessons, result.added) == (1, 3, ())


def test_packages_of_a_closed_project_are_closed(tmp_path: Path, storage: FakeStorage) -> None:
    storage.memories.put([
        lesson.model_copy(update={"scope": Scope(project=f"customer/{lesson.scope.project}")})
        for lesson in related_lessons()
    ])  # fmt: skip
    (tmp_path / "config.toml").write_text("[projects.customer]\ngeneralize = false\n", encoding="utf-8")
    with open_fake_home(tmp_path, storage=storage) as home:
        result = consolidate(home)
    assert (result.kept_out, result.lessons) == (4, 0)
