"""Answers that are known already: one file each, named by the hash of what was asked of which model.

The same question costs once. No secrets stand here, since what is asked and what came back are redacted; the oldest go
when there are too many, and all of them when a memory is forgotten, whose words they may hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from hardwon.kernel.asking.reading import Schema
    from hardwon.kernel.ports import Prompt

FOLDER = "model-answers"
VERSION = 1
MOST = 2_000
"""Files; a few hundred bytes each."""


def key_of(model: str, prompt: Prompt, schema: type[BaseModel]) -> str:
    """Return the hash of a question: the model, the task, both parts of the prompt and the schema."""
    asked = [model, prompt.task, prompt.prefix, prompt.tail, schema.model_json_schema()]
    return fingerprint(json.dumps(asked, sort_keys=True, ensure_ascii=False), length=32)


class Answers:
    """The answers of one home."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def find(self, key: str, schema: type[Schema]) -> Schema | None:
        """Return the known answer; None where there is none, or none that can still be read."""
        path = self._path(key)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            value = schema.model_validate(content["value"])
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return value

    def keep(self, key: str, model: str, task: str, value: Any) -> None:
        """Keep an answer, as plain values; one that cannot be written is asked for again another time."""
        content = {"v": VERSION, "model": model, "task": task, "value": value}
        with contextlib.suppress(OSError):
            write_whole(self._path(key), json.dumps(content, ensure_ascii=False).encode(), durable=False)
            self._prune()

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _prune(self) -> None:
        """Remove the answers that were not needed for longest."""
        with os.scandir(self._folder) as found:
            ages = sorted((each.stat().st_mtime, each.path) for each in found if each.is_file())
        for _, path in ages[: max(0, len(ages) - MOST)]:
            Path(path).unlink(missing_ok=True)


def forget_answers(home: Path) -> None:
    """Remove all of them."""
    shutil.rmtree(home / FOLDER, ignore_errors=True)
