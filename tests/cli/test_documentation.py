"""What the documents say of commands and formats is so: they are read here, and what they show is run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from hardwon.cli.reading.markdown import SUFFIXES
from hardwon.cli.reading.recognition import WHY_SKIPPED
from hardwon.cli.reading.signals import vocabulary
from hardwon.kernel.import_format import memory_of
from hardwon.kernel.memory import MemoryEntry, Source
from hardwon.kernel.registry import registry
from hardwon.kernel.use_cases.moving.archive_lines import END, HEAD
from hardwon.kernel.use_cases.moving.reading import TYPES
from hardwon.testing.examples import MOMENT

ROOT = Path(__file__).parents[2]
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
OF_OTHER_DISTRIBUTIONS = {"mcp"}
"""Commands that come with a distribution below `plugins/`; no test of the box loads them."""
INLINE = re.compile(r"`hardwon ([a-z]+(?: [a-z]+)?)[^`]*`")


def text_of(name: str) -> str:
    """Return a document's text."""
    return (ROOT / name).read_text(encoding="utf-8")


def documents() -> list[Path]:
    """Return the documents that users read; decisions may speak of what is to come."""
    folders = ("guides", "concepts", "reference")
    return [ROOT / "README.md", *(path for name in folders for path in sorted((ROOT / "docs" / name).rglob("*.md")))]


def known(words: list[str]) -> bool:
    """Tell whether a command line begins with a command, or asks for help or the version."""
    actions = registry().all("actions")
    if words[0] in OF_OTHER_DISTRIBUTIONS:
        return True
    return words[0].startswith("--") or words[0] in actions or " ".join(words[:2]) in actions


def test_the_reference_of_commands_is_what_the_commands_say(load_reference: Any) -> None:
    """`python tests/cli/command_reference.py` writes it anew."""
    assert text_of("docs/reference/commands.md") == load_reference.reference(registry().all("actions"))


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_command_in_a_document_exists(path: Path) -> None:
    """In its blocks and in its sentences, with options that the command has."""
    text = path.read_text(encoding="utf-8")
    lines = [line[2:] for block in CONSOLE.findall(text) for line in block.splitlines() if line.startswith("$ ")]
    for line in lines:
        program, *words = shlex.split(line, comments=True)
        assert program == "hardwon", line
        assert known(words), line
    for mention in INLINE.findall(text):
        words = mention.split()
        assert known(words) or any(name.startswith(f"{words[0]} ") for name in registry().all("actions")), mention


@pytest.mark.parametrize("name", ["README.md", "docs/guides/first-steps.md"])
def test_the_first_steps_work(program, environment: dict[str, str], name: str) -> None:
    """Each line, in order, in a project with a LESSONS.md; and what is asked is answered, by words alone."""
    project = Path(environment["HOME"]) / "shop"
    (project / "LESSONS.md").write_text(
        "# Lessons\n\n## Cache\n\nAll cache entries expired at the same second and the database fell over, because we "
        "gave them one expiry time. Since then the expiry is spread at random.\n",
        encoding="utf-8",
    )
    blocks = CONSOLE.findall(text_of(name))
    assert len(blocks) >= 3
    for line in "".join(blocks).splitlines():
        done = program(*shlex.split(line.removeprefix("$ hardwon ")))
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        assert "Nothing is shown" not in done.stdout, line


def test_the_readme_gives_two_commands_and_they_are_plain_shell() -> None:
    """The first ends in the demo, the second in the tests."""
    commands = re.findall(r"^(?:python3 -m venv|\.venv/bin/pip) .*$", text_of("README.md"), flags=re.MULTILINE)
    assert commands == [
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/hardwon demo",
        ".venv/bin/pip install uv && .venv/bin/uv run pytest",
    ]


@pytest.mark.parametrize("name", ["docs/reference/formats.md", "docs/guides/importing.md"])
def test_every_record_shown_can_be_imported(name: str) -> None:
    """With nothing in it that the format does not know."""
    blocks = re.findall(r"```json\n(.*?)```", text_of(name), flags=re.DOTALL)
    records = [json.loads(line) for block in blocks for line in block.splitlines()]
    assert records
    for record in records:
        assert memory_of(record, project=None, now=MOMENT).metadata == {}


def test_which_markdown_is_read_and_why_a_passage_is_skipped_is_described() -> None:
    """With every ending, every reason and the sum that makes a lesson."""
    text = text_of("docs/reference/formats.md")
    for words in (
        *(f"`{ending}`" for ending in SUFFIXES),
        *WHY_SKIPPED.values(),
        f"sum of {vocabulary().threshold} on",
    ):
        assert words in text, words


def test_every_field_of_a_memory_is_described() -> None:
    """And of its source, and every type of record in an archive."""
    text = text_of("docs/reference/formats.md")
    for field in (*MemoryEntry.model_fields, "revision", "memory_type"):
        assert f"`{field}`" in text, field
    for field in Source.model_fields:
        assert f'"{field}"' in text, field
    for type in (HEAD, *TYPES, END):
        assert f"| `{type}` |" in text, type
