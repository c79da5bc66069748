"""A reader that is imported when a file is met, so that commands which read no file do not pay for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardwon.kernel.ports import LessonReader
    from hardwon.kernel.records import Problem


class LateReader:
    """Stands for the LessonReader that `load` returns."""

    def __init__(self, load: Callable[[], LessonReader]) -> None:
        self._load = load

    @cached_property
    def _reader(self) -> LessonReader:
        return self._load()

    def accepts(self, path: Path) -> bool:
        """Tell whether this reader is for such a file, by its name."""
        return self._reader.accepts(path)

    def read(self, path: Path) -> Iterator[Mapping[str, Any] | Problem]:
        """Walk the file's records. Raises InvalidInput when the file as a whole cannot be taken."""
        return self._reader.read(path)
