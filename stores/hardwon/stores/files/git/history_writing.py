"""What writing to the history needs beside the repository: paths as trees, and git's refusals in our words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from hardwon.kernel.errors import StoreError


class InFolder(Protocol):
    """A history, as far as it is needed to say where it lies."""

    folder: Path


History = TypeVar("History", bound=InFolder)
Given = ParamSpec("Given")
Result = TypeVar("Result")


def writing(method: Callable[Concatenate[History, Given], Result]) -> Callable[Concatenate[History, Given], Result]:
    """Let a method raise StoreError where git cannot write: a full disk, a folder that may not be written to."""

    @functools.wraps(method)
    def told(repository: History, /, *given: Given.args, **named: Given.kwargs) -> Result:
        import pygit2

        try:
            return method(repository, *given, **named)
        except (pygit2.GitError, OSError) as error:
            raise StoreError(
                f"The history of {repository.folder} cannot be written ({error}); make room or permit writing there,"
                " then repeat."
            ) from None

    return told


def nested(contents: Mapping[str, str | None]) -> dict[str, Any]:
    """Return paths as folders in folders. What goes comes first: a file may make room for a folder of its name."""
    result: dict[str, Any] = {}
    for path, name in sorted(contents.items(), key=lambda item: item[1] is not None):
        level = result
        *folders, last = path.split("/")
        for folder in folders:
            if not isinstance(level.get(folder), dict):
                level[folder] = {}
            level = level[folder]
        level[last] = name
    return result
