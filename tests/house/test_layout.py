"""The house keeps its form: an open namespace, small files, small functions, nothing of the machine it was built on."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

LONGEST_FILE, LONGEST_FUNCTION = 300, 40
PARTS = ("kernel", "stores", "generalizer", "review_queue", "plugins/cli")
SOMEBODY = ("user", "you", "me", "name")
"""Names that stand for anybody in an example path."""
PATH_OF_A_MACHINE = re.compile(r"(?<![\w.~/-])/(?:root|work|home/(\w+)|Users/(\w+))/\w")


def test_the_namespace_is_open(root: Path) -> None:
    """A stray `hardwon/__init__.py` would hide all parts but one where each lies in a folder of its own (PEP 420)."""
    folders = [path for part in PARTS for path in root.glob(f"{part}/hardwon")]
    assert len(folders) == len(PARTS)
    assert [path for path in folders if (path / "__init__.py").exists()] == []


def test_every_part_is_typed(root: Path) -> None:
    """Each package tells type checkers that its annotations are to be believed."""
    packages = [path for part in PARTS for path in root.glob(f"{part}/hardwon/*") if path.is_dir()]
    packages = [path for path in packages if path.name != "__pycache__"]
    assert len(packages) > len(PARTS)
    assert [path for path in packages if not (path / "py.typed").is_file()] == []


def test_no_file_is_long(root: Path, python_files: list[Path]) -> None:
    """A file that is about one thing has at most 300 lines."""
    scripts = [root / ".ci" / "run", root / "justfile"]
    lengths = {str(path.relative_to(root)): len(path.read_bytes().splitlines()) for path in python_files + scripts}
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_no_function_is_long(root: Path, python_files: list[Path]) -> None:
    """A function that does one thing has at most 40 lines, its docstring included."""
    long = {}
    for path in python_files:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    long[f"{path.relative_to(root)}:{node.lineno} {node.name}"] = lines
    assert long == {}


def test_every_file_says_why_it_exists(root: Path, python_files: list[Path]) -> None:
    """In its first lines, unless it is empty."""
    silent = []
    for path in python_files:
        tree = ast.parse(path.read_bytes())
        if tree.body and not ast.get_docstring(tree):
            silent.append(str(path.relative_to(root)))
    assert silent == []


def test_nothing_names_a_folder_of_somebodys_machine(texts: dict[Path, str]) -> None:
    """What is in the repository works wherever it is cloned."""
    found = []
    for path, text in texts.items():
        for match in PATH_OF_A_MACHINE.finditer(text):
            if (match[1] or match[2]) not in SOMEBODY:
                found.append(f"{path}: {match[0]}")
    assert found == []


@pytest.mark.parametrize("text", ["see /ro" + "ot/x", "'/ho" + "me/jane/x'", "=/Us" + "ers/jane/x", "(/wo" + "rk/x"])
def test_the_check_for_folders_sees_them(text: str) -> None:
    assert PATH_OF_A_MACHINE.search(text)


@pytest.mark.parametrize("text", ["src/root/x", "https://example.org/home/jane/x", "~/work/x", "rework/x", "./work/x"])
def test_the_check_for_folders_lets_others_pass(text: str) -> None:
    assert not PATH_OF_A_MACHINE.search(text)
