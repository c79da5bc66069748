"""What the project at hand is made of: what a memory that holds only for some language or framework is held against.

Its manifests tell: which there are names the languages, the words in them the frameworks. Looked at are the folder at
hand, those above it up to the project's root, and those right below the root, where a repository of several parts has
its manifests. A `.hardwon.toml` may say better: `languages`, `frameworks`, `roles`, `tags`. Nothing is looked at before
something that was found asks. Standard library alone, since the hook program asks too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice

from hardwon.kernel.project_file import PROJECT_FILE, at_and_above
from hardwon.kernel.regular_file import open_regular

LANGUAGES = {
    "pyproject.toml": "python py", "setup.py": "python py", "setup.cfg": "python py", "requirements.txt": "python py",
    "Pipfile": "python py", "package.json": "javascript js node", "tsconfig.json": "typescript ts",
    "deno.json": "typescript ts deno", "Cargo.toml": "rust", "go.mod": "go golang", "pom.xml": "java",
    "build.gradle": "java kotlin", "build.gradle.kts": "java kotlin", "build.sbt": "scala", "Gemfile": "ruby",
    "composer.json": "php", "mix.exs": "elixir", "rebar.config": "erlang", "Package.swift": "swift",
    "pubspec.yaml": "dart", "CMakeLists.txt": "c c++ cpp", "meson.build": "c c++ cpp", "stack.yaml": "haskell",
    "Project.toml": "julia", "build.zig": "zig", "dune-project": "ocaml", "project.clj": "clojure",
}  # fmt: skip
"""By the name of a manifest: the languages of its project, by all their usual names."""
BY_ENDING = {
    ".csproj": "c# csharp .net dotnet", ".fsproj": "f# fsharp .net dotnet", ".sln": ".net dotnet", ".cabal": "haskell",
    ".gemspec": "ruby", ".tf": "terraform",
}  # fmt: skip
SAID = ("languages", "frameworks", "roles", "tags")
MOST_FOLDERS = 60
"""Folders below the root that are looked into."""
MOST_ENTRIES = 5_000
"""Of a folder that are looked at: a folder of very many files holds data, and a hook has no time for them."""
MOST_BYTES = 64_000
"""Of a manifest that are read."""
_OTHERS = ("node_modules", "vendor", "venv", "build", "dist", "target")
"""Folders that hold what others wrote, or what was made."""
_NAME = re.compile(r"[A-Za-z][\w.+#-]*[\w+#]|[A-Za-z]")


class Surroundings:
    """What is known of one folder's project; each thing is looked up when it is first asked for."""

    def __init__(self, folder: str, root: str | None) -> None:
        """Take the folder at hand and the one that its project begins at, both absolute; None outside of any."""
        self._folder = folder
        self._root = root
        self._found: tuple[list[str], list[str]] | None = None
        self._said: dict[str, list[str]] | None = None

    @property
    def languages(self) -> list[str]:
        """Return the programming languages, by all their usual names; empty where nothing tells."""
        return self._declared("languages") or self._manifests()[0]

    @property
    def frameworks(self) -> list[str]:
        """Return the words of the manifests: what is built with is named there; empty where there are none."""
        return self._declared("frameworks") or self._manifests()[1]

    @property
    def roles(self) -> list[str]:
        """Return what the agent is for here."""
        return self._declared("roles")

    @property
    def tags(self) -> list[str]:
        """Return what else the project says of itself."""
        return self._declared("tags")

    def _declared(self, name: str) -> list[str]:
        """Return what the nearest .hardwon.toml that speaks of it says."""
        if self._said is None:
            self._said = {}
            for folder in at_and_above(self._folder):
                self._said = _said_in(f"{folder}/{PROJECT_FILE}") | self._said
        return self._said.get(name, [])

    def _manifests(self) -> tuple[list[str], list[str]]:
        """Return the languages, and the words of the manifests."""
        if self._found is None:
            languages: dict[str, None] = {}
            words: dict[str, None] = {}
            for folder in dict.fromkeys(self._folders()):
                for name in _files(folder):
                    told = LANGUAGES.get(name) or BY_ENDING.get(os.path.splitext(name)[1])
                    if told:
                        languages.update(dict.fromkeys(told.split()))
                        words.update(dict.fromkeys(_words(f"{folder}/{name}")))
            if "typescript" in words and "javascript" in languages:
                languages["typescript"] = None
            self._found = list(languages), list(words)
        return self._found

    def _folders(self) -> Iterator[str]:
        """Walk the folder and those above it up to the root, then those right below the root."""
        if self._root is None:
            return
        for folder in at_and_above(self._folder):
            yield folder
            if folder == self._root:
                break
        below = [name for name in _entries(self._root, folders=True) if name not in _OTHERS and name[0] != "."]
        yield from (f"{self._root}/{name}" for name in below[:MOST_FOLDERS])


def _entries(folder: str, *, folders: bool) -> list[str]:
    """Return the names of what lies in a folder, in alphabetical order; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, MOST_ENTRIES) if entry.is_dir() is folders)
    except OSError:
        return []


def _files(folder: str) -> list[str]:
    return _entries(folder, folders=False)


def _words(path: str) -> list[str]:
    try:
        with open_regular(path) as file:
            text = file.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    return [word.casefold() for word in _NAME.findall(text)]


def _said_in(path: str) -> dict[str, list[str]]:
    """Return what a .hardwon.toml says of these; nothing where there is none or it is broken, as others tell."""
    try:
        with open_regular(path) as file:
            content = file.read()
        if not any(name.encode() in content for name in SAID):  # tomllib takes 15 ms
            return {}
        import tomllib

        said = tomllib.loads(content.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    lists = {name: said[name] for name in SAID if isinstance(said.get(name), list)}
    return {name: [str(each) for each in values] for name, values in lists.items()}
