"""What is promised is written down, and what is written down exists."""

from __future__ import annotations

import inspect
import re
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args, get_origin

import pytest
from pydantic import BaseModel

from hardwon.kernel import errors, hookspecs
from hardwon.kernel.entry_points import EntryPoint
from hardwon.kernel.registry import KINDS, Registry
from hardwon.kernel.settings import Settings

HOOKS = Path("docs/reference/hooks.md")

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def hooks() -> Mapping[str, str]:
    """Return every hook's signature as its heading has to write it."""
    found = {}
    for name, function in inspect.getmembers(hookspecs, inspect.isfunction):
        if name.startswith("register_"):
            found[name] = f"{name}({', '.join(inspect.signature(function).parameters)})"
    return found


def test_every_hook_is_documented_with_its_arguments(root: Path) -> None:
    """And no heading speaks of a hook that is gone."""
    text = (root / HOOKS).read_text(encoding="utf-8")
    headings = re.findall(r"^## `(register_.*)`$", text, flags=re.MULTILINE)
    assert sorted(headings) == sorted(hooks().values())


def test_the_examples_of_the_hooks_work(root: Path) -> None:
    """Each block of Python in the reference is a plugin that the registry takes."""
    for number, block in enumerate(PYTHON_BLOCK.findall((root / HOOKS).read_text(encoding="utf-8"))):
        name = f"example_{number}"
        module = types.ModuleType(name)
        exec(block, module.__dict__)
        result = Registry()
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, name, module)
            result.load([EntryPoint(name, name, "", "documentation")])
        assert result.broken == []
        assert any(result.all(kind) for kind in KINDS)


def settings(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Walk the names of all settings; a table with keys of the user's own is written with what its keys stand for."""
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from settings(inner, f"{prefix}{name}.")
        elif get_origin(inner) is dict:
            value = get_args(inner)[1]
            table = isinstance(value, type) and issubclass(value, BaseModel)
            yield from settings(value, f"{prefix}{name}.<key>.") if table else [f"{prefix}{name}.<name>"]
        else:
            yield f"{prefix}{name}"


def test_every_setting_is_documented(root: Path) -> None:
    """And no row speaks of a setting that is gone."""
    text = (root / "docs/reference/settings.md").read_text(encoding="utf-8").partition("## Environment")[0]
    assert sorted(re.findall(r"^\| `([\w.<>]+)` \|", text, flags=re.MULTILINE)) == sorted(settings(Settings))


def test_every_kind_of_offer_has_its_hook() -> None:
    assert sorted(hooks()) == sorted(f"register_{kind}" for kind in KINDS)


def test_every_error_is_in_the_tree_at_the_top_of_its_module() -> None:
    names = {name for name, _ in inspect.getmembers(errors, inspect.isclass)}
    assert names <= set(re.findall(r"\b[A-Z]\w+\b", errors.__doc__ or ""))


def test_every_decision_is_linked_from_the_list(root: Path) -> None:
    folder = root / "docs" / "decisions"
    linked = set(LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert {path.name for path in folder.glob("*.md")} - {"README.md"} <= linked


@pytest.mark.parametrize("heading", ["## Decision", "## Why", "## What was not chosen"])
def test_every_decision_says_what_why_and_what_not(root: Path, heading: str) -> None:
    records = sorted((root / "docs" / "decisions").glob("[0-9]*.md"))
    assert records
    assert [path.name for path in records if heading not in path.read_text(encoding="utf-8")] == []


def test_links_between_documents_lead_somewhere(root: Path, texts: dict[Path, str]) -> None:
    """Relative links in every Markdown file of the project outside of tests and demonstration data."""
    dead = []
    for path, text in texts.items():
        if path.suffix == ".md" and (len(path.parts) == 1 or path.parts[0] == "docs"):
            for target in LINK.findall(text):
                if "://" not in target and not (root / path.parent / target).exists():
                    dead.append(f"{path}: {target}")
    assert dead == []


def test_documents_that_the_code_sends_people_to_exist(root: Path, texts: dict[Path, str]) -> None:
    """An error that says “see docs/…” is no help when nothing is there."""
    missing = set()
    for path, text in texts.items():
        if path.suffix in (".py", ".toml") and path.parts[0] != "tests":
            named = set(re.findall(r"\bdocs/(?:benchmarks|concepts|decisions|guides|reference)[\w./-]*\b", text))
            missing |= {f"{path}: {name}" for name in named if not list(root.glob(f"{name}*"))}
    assert missing == set()
