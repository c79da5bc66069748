"""What is on here and now: off means off, per project, per harness, for a while."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Switches:
    """Whether a session may be captured, and whether the memory may speak in it."""

    capture: bool
    recall: bool


def switches(
    data: Mapping[str, Any],
    harness: str,
    is_subagent: bool,
    repository: Mapping[str, Any],
    names: Callable[[], Collection[str]],
) -> Switches:
    """Return what is on. `names` tells the names of the folder's project; it is asked only where it matters."""
    table = data["harnesses"][harness]
    on = Switches(bool(table.get("capture", True)), bool(table.get("recall", True)))
    if is_subagent and not table.get("subagents"):
        return Switches(capture=False, recall=False)
    if _is_paused(data.get("paused", ()), harness, names):
        return Switches(capture=False, recall=False)
    settings: list[Mapping[str, Any]] = [repository]
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
