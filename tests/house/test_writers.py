"""A file is put in place by one helper, kernel/whole_file.py: whole, for its owner alone, and safe where it must be.

Whoever renames a file otherwise stands here with the reason, so that a new copy of the idiom is seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("kernel/hardwon/kernel", "stores", "generalizer", "review_queue", "plugins")
OTHERS = {
    "kernel/hardwon/kernel/whole_file.py": "the helper",
    "kernel/hardwon/kernel/spool.py": "the hook's program: the fewest modules; the transcript has the words as well",
    "kernel/hardwon/kernel/hook/launcher.py": "the hook's program again: its compiled form, made anew when damaged",
    "kernel/hardwon/kernel/use_cases/spooled.py": "moves a record between folders of the spool",
    "kernel/hardwon/kernel/use_cases/moving/backup_file.py": "a tar, which is written to an open file",
    "kernel/hardwon/kernel/use_cases/moving/bringing_back.py": "puts a home in its place, the old one aside",
    "kernel/hardwon/kernel/use_cases/moving/migration_plan.py": "sets aside what lies in the place of a store",
    "kernel/hardwon/kernel/use_cases/moving/vault.py": "puts a folder in its place",
    "stores/hardwon/stores/files/indexing/index.py": "sets a damaged index aside",
    "stores/hardwon/stores/files/atomic/replacing.py": "puts in place what the helper wrote, over what was expected",
    "stores/hardwon/stores/search/vectors.py": "sets a damaged file of vectors aside",
    "stores/hardwon/stores/sqlite/copying.py": "a copy that SQLite itself writes, waited for by its own rules",
    "stores/hardwon/stores/sqlite/salvaging.py": "sets a damaged database aside, and puts what was kept of it there",
    "plugins/command_hooks/hardwon_command_hooks/files.py": "keeps owner and mode of another program's file, durably",
}


def _renames(tree: ast.AST) -> Iterator[int]:
    """Walk the lines that rename a file: os.replace, os.rename, Path.replace (one argument) and Path.rename."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called, given = node.func.attr, len(node.args) + len(node.keywords)
            of_os = isinstance(node.func.value, ast.Name) and node.func.value.id == "os"
            if (of_os and called in ("replace", "rename", "link")) or (
                called in ("replace", "rename") and given == 1 and not node.keywords
            ):
                yield node.lineno


def test_nobody_else_puts_a_file_in_the_place_of_another() -> None:
    found = {
        str(path.relative_to(ROOT))
        for part in PARTS
        for path in (ROOT / part).rglob("*.py")
        if "tests" not in path.parts and any(_renames(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found == set(OTHERS)
