"""What an upgrade would do to a home, as `doctor --upgrade-check` tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.cli.views import part_label, problem_lines, size_text
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.moving.rehearsing import Rehearsal


def rehearsal(home: Home) -> Report:
    """Rehearse the upgrade on a copy and tell what would change; the home is not touched."""
    from hardwon.kernel.use_cases.moving.rehearsing import rehearse

    found = rehearse(home)
    data = {
        "home": str(home.path),
        "store": found.store,
        "formats": dict(found.formats),
        "before": dict(found.before),
        "after": dict(found.after),
        "seconds": round(found.seconds, 3),
        "bytes": found.bytes,
        "problems": list(found.problems),
    }
    return Report(data, _text(home, found), failed=bool(found.problems))


def _text(home: Home, found: Rehearsal) -> str:
    formats = ", ".join(f"{name} of format {format}" for name, format in found.formats.items()) or "no database"
    lines = [
        f"Rehearsed on a copy of `{home.path}` ({size_text(found.bytes)}); the home itself was not touched.\n",
        f"- What the former version left: store {found.store}, {formats}",
        f"- The first command of this version takes {found.seconds:,.1f} s longer, to bring that up to date",
        "\nBefore:\n\n| | |\n|---|---:|",
        *(f"| {name} | {number:,} |" for name, number in found.before.items()),
        "\nAfter:\n\n| | |\n|---|---:|",
        *(f"| {part_label(name)} | {number:,} |" for name, number in found.after.items()),
    ]
    if found.problems:
        told = counted(len(found.problems), "thing")
        lines.append(f"\n{told} cannot be read, and would be left as they are:\n\n{problem_lines(found.problems)}")
    return "\n".join(lines)
