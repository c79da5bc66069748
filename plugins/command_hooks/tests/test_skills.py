"""The skills say what there is: their tools and commands exist, and each harness can read them."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml

from hardwon.kernel.registry import registry
from hardwon_command_hooks.skills import Skill, is_our_text, skills

EACH = pytest.mark.parametrize("skill", skills(), ids=lambda skill: skill.name)


def test_there_are_four() -> None:
    assert [skill.name for skill in skills()] == ["feedback", "recall", "remember", "review"]


@EACH
def test_a_skill_is_read_as_the_harnesses_read_it(skill: Skill) -> None:
    """As SKILL.md with front matter in YAML, and as a command in TOML with the place for what was typed."""
    _, front, body = skill.as_skill().split("---\n", 2)
    fields = yaml.safe_load(front)
    assert fields["name"] == f"hardwon-{skill.name}"
    assert 60 < len(fields["description"]) < 1_000
    assert fields["argument-hint"]
    assert body.count("$ARGUMENTS") == 1
    command = tomllib.loads(skill.as_toml_command())
    assert command["description"] == fields["description"]
    assert command["prompt"].count("{{args}}") == 1


@EACH
def test_the_commands_that_a_skill_names_exist(skill: Skill) -> None:
    actions = registry().all("actions")
    named = re.findall(r"hardwon ([a-z]+)(?: ([a-z]+))?", skill.body)
    assert named
    for first, second in named:
        assert first in actions or f"{first} {second}" in actions


@EACH
def test_the_tools_that_a_skill_names_exist(skill: Skill) -> None:
    definitions = pytest.importorskip("hardwon_mcp.definitions")
    named = set(re.findall(r"memory_\w+", skill.body))
    assert named
    assert named <= set(definitions.TOOLS)


@EACH
def test_what_a_skill_expands_to_is_not_taken_for_the_users_words(skill: Skill) -> None:
    assert is_our_text(skill.body.replace("$ARGUMENTS", "the lock of the report job"))
