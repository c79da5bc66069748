"""What changed on disk since the last look, for the demo of a memory in files."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

LINES = 12
"""Lines of a list or of a file that are shown at most."""
_PASSED_OVER = (".git", "index-", "vectors.sqlite")


class Disk:
    """A folder that is looked at again and again."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: dict[Path, bytes] = {}

    def changes(self) -> str:
        """Return what is new and what changed since the last call, as a block of text."""
        now = {
            path.relative_to(self._root): path.read_bytes()
            for path in sorted(self._root.rglob("*"))
            if path.is_file() and not any(part.startswith(_PASSED_OVER) for part in path.relative_to(self._root).parts)
        }
        fresh = [path for path in now if path not in self._seen]
        changed = [path for path in now if path in self._seen and now[path] != self._seen[path]]
        gone = [path for path in self._seen if path not in now]
        self._seen = now
        lines = [*_listed("new", fresh), *_listed("changed", changed), *_listed("moved away", gone)]
        return block("\n".join(lines) or "nothing changed")


def file_block(path: Path, lines: int = LINES, *, last: bool = False) -> str:
    """Return the first lines of a file as a block, or the last ones."""
    text = path.read_text(encoding="utf-8").rstrip().splitlines()
    if len(text) > lines:
        text = ["…", *text[-lines:]] if last else [*text[:lines], "…"]
    return block("\n".join(text), "markdown")


def history_block(memory: Path) -> str:
    """Return the subjects of the memory's commits, the newest first; a word where there is no git to ask."""
    git = shutil.which("git")
    if git is None:
        return block("(git is not installed here; the history is in the folder all the same)")
    command = [git, "-C", str(memory), "log", "--no-decorate", f"--max-count={LINES}", "--format=%h %an: %s"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)  # noqa: S603
    return block(done.stdout.strip() or done.stderr.strip())


def _listed(word: str, paths: list[Path]) -> list[str]:
    """Return a few paths one by one, many as counts by folder."""
    if len(paths) <= LINES // 2:
        return [f"{word:10} {path}" for path in paths]
    folders = Counter(path.parent for path in paths).most_common()
    lines = [
        f"{word:10} {folder}/  {number} {'file' if number == 1 else 'files'}" for folder, number in folders[:LINES]
    ]
    rest = sum(number for _, number in folders[LINES:])
    return [*lines, *([f"{word:10} and {rest} files more"] if rest else [])]


def block(text: str, language: str = "") -> str:
    """Return a text as a block of Markdown, whatever fences it holds itself."""
    fence = "`" * 4
    return f"{fence}{language}\n{text}\n{fence}"
