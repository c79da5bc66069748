"""What a user can ask for in a session is installed in a form that each harness reads."""

from __future__ import annotations

import tomllib

import pytest
import yaml

from hardwon_command_hooks.skills import ARGUMENTS, Skill, is_our_text, skills


def test_there_is_one_for_each_thing_that_a_user_asks() -> None:
    assert [each.name for each in skills()] == ["draft", "feedback", "recall", "remember", "review"]


@pytest.mark.parametrize("skill", skills(), ids=lambda skill: skill.name)
def test_a_skill_is_read_by_every_harness(skill: Skill) -> None:
    """Its front matter is YAML within the limits of the Agent Skills standard; as a command it is TOML."""
    _, front, body = skill.as_skill().split("---\n", 2)
    fields = yaml.safe_load(front)
    assert fields["name"] == f"hardwon-{skill.name}"
    assert 0 < len(fields["description"]) <= 1024
    assert all(isinstance(value, str) for value in fields.values())
    assert ARGUMENTS in body
    assert ARGUMENTS not in skill.as_skill("what the user wrote")

    command = tomllib.loads(skill.as_toml_command())
    assert command["description"] == fields["description"]
    assert command["prompt"].strip() == body.replace(ARGUMENTS, "{{args}}").strip()


def test_texts_with_quotes_and_backslashes_stay_whole() -> None:
    body = 'Say """x""" and C:\\new\n' + ARGUMENTS + '\nend"\n'
    command = tomllib.loads(Skill("x", {"description": 'a "b"\n'}, body).as_toml_command())
    assert command == {"description": 'a "b"\n', "prompt": body.replace(ARGUMENTS, "{{args}}")}


def test_a_command_that_was_expanded_is_known_again() -> None:
    """Some harnesses keep it as if the user had typed it."""
    for skill in skills():
        assert is_our_text(skill.body.replace(ARGUMENTS, "never use tabs").strip())
    assert not is_our_text("Keep this in mind: never use tabs.")
