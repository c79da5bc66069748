"""The texts in `skills/` as each harness reads them: a skill with front matter, or a command in TOML.

A text begins with front matter of plain `key: value` lines (`description`, `argument-hint`); `$ARGUMENTS` stands for
what the user typed behind the command.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

ARGUMENTS = "$ARGUMENTS"
FENCE = "---\n"
LONGEST_OPENING = 200
"""Characters of a text that tell it from whatever a person types."""


@dataclass(frozen=True)
class Skill:
    """Something that a user asks the agent to do with the memory."""

    name: str
    """remember, recall, review, draft, feedback."""
    fields: Mapping[str, str]
    body: str

    def as_skill(self, arguments: str = ARGUMENTS) -> str:
        """Return it as SKILL.md; `arguments` is what stands for the user's words where a harness puts in none."""
        fields = {"name": f"hardwon-{self.name}", **self.fields}
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields.items()]
        return f"{FENCE}{''.join(lines)}{FENCE}\n{self.body.replace(ARGUMENTS, arguments)}"

    def as_toml_command(self) -> str:
        """Return it as a command of Gemini CLI."""
        prompt = self.body.replace(ARGUMENTS, "{{args}}").replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        description = json.dumps(self.fields["description"], ensure_ascii=False)
        return f'description = {description}\nprompt = """\n{prompt}"""\n'


def skills() -> list[Skill]:
    """Return all skills, by name."""
    folder = files("hardwon_command_hooks") / "skills"
    texts = sorted((each for each in folder.iterdir() if each.name.endswith(".md")), key=lambda each: each.name)
    return [_skill(each.name.removesuffix(".md"), each.read_text(encoding="utf-8")) for each in texts]


def _skill(name: str, text: str) -> Skill:
    _, front, body = text.split(FENCE, 2)
    lines = (line.partition(":") for line in front.splitlines())
    fields = {key.strip(): value.strip().strip('"') for key, _, value in lines}
    return Skill(name, {key: value for key, value in fields.items() if key != "name"}, body.lstrip("\n"))


def is_our_text(text: str) -> bool:
    """Tell whether a prompt is what one of our commands expands to: some harnesses keep that as the user's words."""
    return any(text.startswith(opening) for opening in _openings())


@cache
def _openings() -> list[str]:
    """Return the beginnings of our texts, up to what the user typed."""
    bodies = (each.body.partition(ARGUMENTS)[0].strip() for each in skills())
    return [body[:LONGEST_OPENING] for body in bodies if body]
