"""A rule of one language, framework, role or customer is told where that is at hand, by hook and shell alike."""

from __future__ import annotations

import pytest

from hardwon.kernel.memory import Kind
from hardwon.kernel.query import Query
from hardwon.kernel.scope import AppliesWhen
from hardwon.kernel.use_cases.reading_place import context_in
from hardwon.kernel.use_cases.recall import recall

from .conftest import SHOP, Place

RULE = "Raise the redis connection pool before the deploy, so that it is not exhausted."
QUESTION = "the deploy hangs, redis connection pool exhausted"


def _is_told(place: Place) -> bool:
    by_hook = RULE in place.told(QUESTION)
    context = context_in(place.wired.folder, SHOP)
    by_shell = bool(recall(place.home, Query(text=QUESTION, context=context)).hits)
    assert by_hook is by_shell
    return by_hook


@pytest.mark.parametrize(
    ("applies_when", "is_told"),
    [
        ({"languages": ["Python"]}, True),
        ({"languages": ["go"]}, False),
        ({"languages": ["go", "python"], "frameworks": ["Django"]}, True),
        ({"frameworks": ["rails"]}, False),
        ({"tags": ["customer-a"]}, True),
        ({"tags": ["customer-b"]}, False),
        ({"roles": ["reviewer"]}, True),
    ],
    ids=str,
)
def test_a_rule_is_told_where_it_applies(place: Place, applies_when: dict[str, list[str]], is_told: bool) -> None:
    """Where nothing tells, as here of roles, it is told too, after what surely holds."""
    (place.wired.folder / "pyproject.toml").write_text('dependencies = ["django>=5"]\n', encoding="utf-8")
    (place.wired.folder / ".hardwon.toml").write_text('tags = ["customer-a"]\n', encoding="utf-8")
    place.keep(RULE, None, kind=Kind.RULE, scope={"applies_when": AppliesWhen(**applies_when)})
    assert _is_told(place) is is_told
