"""What is on here and now: off means off, per project, per harness, for a while."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardwon.kernel.project_file import PROJECT_FILE, at_and_above

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Switches:
    """Whether a session may be captured, and whether the memory may speak in it."""

    capture: bool
    recall: bool


def switches(
    data: Mapping[str, Any], harness: str, is_subagent: bool, folder: str, names: Callable[[], Collection[str]]
) -> Switches:
    """Return what is on. `names` tells the names of the folder's project; it is asked only where it matters.

    Raises InvalidInput, ValueError, OSError for a broken .hardwon.toml.
    """
    table = data["harnesses"][harness]
    on = Switches(bool(table.get("capture", True)), bool(table.get("recall", True)))
    if is_subagent and not table.get("subagents"):
        return Switches(capture=False, recall=False)
    if _is_paused(data.get("paused", ()), harness, names):
        return Switches(capture=False, recall=False)
    settings = [_of_repository(folder)]
    if data.get("projects"):
        settings += [data["projects"].get(name, {}) for name in names()]
    return Switches(
        on.capture and all(each.get("capture", True) for each in settings),
        on.recall and all(each.get("recall", True) for each in settings),
    )


def _is_paused(pauses: Collection[Mapping[str, Any]], harness: str, names: Callable[[], Collection[str]]) -> bool:
    now = time.time()
    return any(
        (pause.get("until") is None or pause["until"] > now)
        and pause.get("harness") in (None, harness)
        and (pause.get("project") is None or pause["project"] in names())
        for pause in pauses
    )


def _of_repository(folder: str) -> dict[str, Any]:
    """Return what the .hardwon.toml files at and above a folder say of capture and recall, the nearest first."""
    found: dict[str, Any] = {}
    for above in at_and_above(os.path.realpath(folder)):
        try:
            with open(f"{above}/{PROJECT_FILE}", "rb") as file:
                content = file.read()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            continue
        if b"capture" in content or b"recall" in content:  # tomllib takes 15 ms
            import tomllib

            found = tomllib.loads(content.decode("utf-8-sig")) | found
    return found
