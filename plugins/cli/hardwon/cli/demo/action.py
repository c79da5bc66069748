"""The command `demo`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from hardwon.kernel.actions import Report
from hardwon.kernel.home import Home

PAUSE = 1.5
"""Seconds to read a step, where somebody reads along."""
BEGINNING = """# hardwon demo

What one project learned the hard way becomes, after your yes, a rule for all your projects. This shows it on real
lessons of real projects (facts from public reports, told in our own words), offline, in a memory of its own that
touches nothing of yours."""


def demo(
    home: Home,
    *,
    keep: Annotated[bool, "leave the memory there to look around in"] = False,
    fast: Annotated[bool, "do not wait for anybody to read"] = False,
) -> Report:
    """Show the whole loop on real lessons, in a memory of its own, in under a minute."""
    import shutil
    import tempfile

    from hardwon.cli.demo.story import Story

    folder = Path(tempfile.mkdtemp(prefix="hardwon-demo-"))
    reads_along = not fast and sys.stdout.isatty()
    try:
        home.console.say(BEGINNING)
        with Home(folder / "home", named_by="the demo", console=home.console) as own:
            told = Story(own, PAUSE if reads_along else 0.0).tell()
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    told |= {"home": str(folder / "home"), "kept": keep}
    return Report(told, _ending(folder / "home", keep=keep))


def _ending(path: Path, *, keep: bool) -> str:
    if keep:
        return (
            f"The memory is kept at `{path}`. Look around:\n\n"
            f"- `hardwon review list --home {path}`\n- `hardwon rules --home {path}`\n"
            f'- `hardwon recall "cache files" --everywhere --explain --home {path}`\n\n'
            f"The folder `{path / 'memory'}` opens as an Obsidian vault. Remove it when you are done."
        )
    return (
        "The demo's memory is removed again (`hardwon demo --keep` leaves it to look around in). Now yours:\n\n"
        "- `hardwon init`\n- `hardwon import LESSONS.md` in each project that has such a file\n"
        "- `hardwon consolidate`, then `hardwon review list`"
    )
