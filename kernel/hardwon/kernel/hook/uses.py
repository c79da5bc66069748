"""How often memories helped or misled, as `feedback` writes it for the hook program: `hook/uses.json`."""

from __future__ import annotations

from hardwon.kernel.hook.json_values import first_value

FILE = "hook/uses.json"


def read_uses(home: str) -> dict[str, int]:
    """Return by memory how many more times it was useful than wrong; nothing where nobody said anything yet."""
    try:
        with open(f"{home}/{FILE}", "rb") as file:
            uses, _ = first_value(file.read().decode("utf-8"))
    except (OSError, ValueError):
        return {}
    found = uses.get("uses") if isinstance(uses, dict) and uses.get("format") == 1 else None
    return {id: count for id, count in found.items() if isinstance(count, int)} if isinstance(found, dict) else {}
