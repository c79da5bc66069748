"""What became of memories, as it is written for the hook program when it changes: `hook/uses.json`."""

from __future__ import annotations

from hardwon.kernel.confidence import Evidence, from_data
from hardwon.kernel.hook.json_values import first_value

FILE = "hook/uses.json"


def read_uses(home: str) -> tuple[dict[str, int], dict[str, Evidence]]:
    """Return by memory how many more times it was useful than wrong, and what its confidence moves by.

    Nothing where nobody said anything yet.
    """
    try:
        with open(f"{home}/{FILE}", "rb") as file:
            content, _ = first_value(file.read().decode("utf-8"))
    except (OSError, ValueError):
        return {}, {}
    if not isinstance(content, dict) or content.get("format") != 1:
        return {}, {}
    uses = content.get("uses")
    counts = {id: count for id, count in uses.items() if isinstance(count, int)} if isinstance(uses, dict) else {}
    return counts, from_data(content.get("evidence"))
