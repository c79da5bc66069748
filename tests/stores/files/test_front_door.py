"""The front door is made quickly: what is remembered for that is right, and does not grow with every write."""

from __future__ import annotations

from hardwon.stores.files import front_door


def test_of_each_project_the_last_line_alone_is_remembered() -> None:
    """A long-lived program writes many thousands of times."""
    front_door._lines.clear()
    lines = {front_door._line("a project", (("a/topic", number), ("another", 2))) for number in range(1, 50)}
    assert len(lines) == 49
    assert len(front_door._lines) == 1
    assert front_door._line("a project", (("a/topic", 49), ("another", 2))) in lines


def test_however_many_projects_there_are_what_is_remembered_stays_small() -> None:
    for number in range(front_door._MOST_REMEMBERED + 10):
        front_door._line(f"project {number}", (("", 1),))
    assert len(front_door._lines) <= front_door._MOST_REMEMBERED
