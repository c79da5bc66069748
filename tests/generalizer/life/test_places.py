"""Where lessons were learned: what all of them say narrows a rule, what one does not say narrows nothing."""

from __future__ import annotations

import pytest

from hardwon.generalizer.life.places import common_scope, separating_place
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.scope import AppliesWhen, Scope
from hardwon.testing.examples import memory


def tagged(*tags: str) -> MemoryEntry:
    return memory("It broke.", "p", tags=tags)


@pytest.mark.parametrize(
    ("lessons", "place"),
    [
        ([tagged("python"), tagged("Python", "ci")], AppliesWhen(languages=("python",))),
        (
            [tagged("python", "django"), tagged("python", "django")],
            AppliesWhen(languages=("python",), frameworks=("django",)),
        ),
        ([tagged("customer:acme"), tagged("customer:acme", "net")], AppliesWhen(tags=("customer:acme",))),
        ([tagged("客户:甲"), tagged("客户:甲")], AppliesWhen(tags=("客户:甲",))),
        ([tagged("python"), tagged("go")], AppliesWhen()),
        ([tagged("python"), tagged()], AppliesWhen()),
        ([tagged("net"), tagged("net")], AppliesWhen()),
        ([], AppliesWhen()),
    ],
)
def test_a_rule_holds_where_all_of_its_lessons_say_they_are_from(
    lessons: list[MemoryEntry], place: AppliesWhen
) -> None:
    assert common_scope(lessons) == Scope(applies_when=place)


def test_what_a_lesson_says_of_itself_counts_as_its_tags_do() -> None:
    scope = Scope(project="p", applies_when=AppliesWhen(languages=("Go",)))
    assert common_scope([memory("It broke.", scope=scope), tagged("go")]).applies_when.languages == ("go",)


def test_the_lessons_of_one_team_make_a_rule_of_that_team() -> None:
    mine = [memory("It broke.", scope=Scope(namespace="mine", project=name)) for name in "ab"]
    assert common_scope(mine).namespace == "mine"
    assert common_scope([*mine, tagged()]).namespace == "default"


def test_a_place_separates_only_where_every_lesson_says_where_it_is_from() -> None:
    inside, outside = [tagged("python"), tagged("python")], [tagged("c")]
    assert separating_place(inside, outside) == AppliesWhen(languages=("python",))
    assert separating_place(inside, [*outside, tagged()]) is None
    assert separating_place([*inside, tagged()], outside) is None
    assert separating_place(inside, [tagged("python")]) is None
    assert separating_place(inside, []) is None
