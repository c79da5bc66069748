"""A module in the hook program does what the module does, without what only people and type checkers read."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import subprocess
import sys

import pytest

from hardwon.kernel.use_cases.hook_source import imported_modules, plain_source

SOURCE = '''
"""A module."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")
WORD: re.Pattern[str] = re.compile("[a-z]+")
"""A word."""


class Named(Protocol):
    """A name."""

    @property
    def name(self) -> str:
        """Return it."""
        ...


@dataclass(frozen=True, slots=True)
class Thing(Generic[T]):
    """A thing."""

    name: str
    size: int = 3
    parts: list[T] = field(default_factory=list)
    total: int = field(init=False)

    def __post_init__(self) -> None:
        """Count."""
        object.__setattr__(self, "total", self.size + len(self.parts))

    def words(self, given: Sequence[str], *, more: int = 0) -> list[str]:
        """Return the words."""
        kept: list[str] = [word for word in given if WORD.fullmatch(word)]
        later: int
        later = more
        return kept[later:]


def nothing() -> None:
    """Do nothing."""


def text(path: Path) -> str:
    """Return JSON."""
    from hardwon.kernel.spool import FOLDER

    return json.dumps([str(path), FOLDER])
'''


def made(source: str) -> dict[str, object]:
    names: dict[str, object] = {"__name__": "made"}
    exec(compile(plain_source("made", source), "made", "exec"), names)
    return names


def test_a_dataclass_becomes_a_plain_class() -> None:
    thing_type = made(SOURCE)["Thing"]
    assert callable(thing_type)
    thing = thing_type("a")
    assert (thing.name, thing.size, thing.parts, thing.total) == ("a", 3, [], 3)
    assert thing_type("a", 1, ["x"]).total == 2
    assert thing_type("a").parts is not thing_type("b").parts
    assert not hasattr(thing, "__dict__")
    assert thing.words(["one", "2"], more=0) == ["one"]


def test_nothing_is_left_that_only_checkers_need() -> None:
    text = plain_source("made", SOURCE)
    for gone in ("typing", "dataclasses", "Protocol", "TypeVar", '"""', "collections", "pathlib", "->", "# "):
        assert gone not in text
    assert imported_modules(text) == [
        "hardwon.kernel.hook.json_values",
        "hardwon.kernel.hook.patterns",
        "hardwon.kernel.spool",
    ]


def test_what_cannot_be_made_plain_is_refused_when_it_is_assembled() -> None:
    with pytest.raises(ValueError, match="replace of dataclasses"):
        plain_source("made", "from dataclasses import replace\n\n\ndef f(x):\n    return replace(x)\n")
    with pytest.raises(ValueError, match="depends on arguments"):
        plain_source("made", "import functools\n\n\n@functools.cache\ndef f(x):\n    return x\n")


def test_what_is_computed_once_is_computed_when_the_program_is_assembled() -> None:
    name = "hardwon.kernel.everyday"
    module = importlib.import_module(name)
    names: dict[str, object] = {}
    exec(compile(plain_source(name, inspect.getsource(module)), name, "exec"), names)
    terms = names["everyday_terms"]
    assert callable(terms)
    assert terms() == dict(module.everyday_terms())
    assert "SENTENCES" not in names


def test_every_process_assembles_the_same_program() -> None:
    """Else `doctor` takes a sound program for another hardwon's, and each pause writes and compiles it anew."""
    source = (
        "import sys; from hardwon.kernel.use_cases.hook_assembly import assembled; "
        "sys.stdout.buffer.write(assembled(['hardwon.stores.files.hook_reading']).text.encode())"
    )
    programs = {
        subprocess.run(
            [sys.executable, "-c", source], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(programs) == 1


@pytest.mark.parametrize("name", ["hardwon.kernel.ranking", "hardwon.kernel.text", "hardwon.kernel.injection"])
def test_the_functions_of_our_own_modules_stay_the_same(name: str) -> None:
    """Every statement but annotations and texts is there: the same calls in the same order."""

    def calls(tree: ast.AST) -> list[str]:
        ours = ("dataclass", "field", "TypeVar")
        found = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
        return sorted(call for call in found if call not in ours)

    source = inspect.getsource(importlib.import_module(name))
    plain = ast.parse(plain_source(name, source))
    factories = [call for call in calls(plain) if call in ("list", "dict", "frozenset")]
    left = calls(plain)
    for call in calls(ast.parse(source)):
        assert call in left or call in factories
