"""The command `demo`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hardwon.kernel.actions import Report
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.settings import Settings

PAUSE = 1.5
"""Seconds to read a step, where somebody reads along."""
BEGINNING = """# hardwon demo

What one project learned the hard way becomes, after your yes, a rule for all your projects. This shows it on real
lessons of real projects (facts from public reports, told in our own words), offline, in a memory of its own that
touches nothing of yours."""


def demo(
    home: Home,
    *,
    store: Annotated[str, "the store that keeps it: files, sqlite, postgres"] = "files",
    keep: Annotated[bool, "leave the memory there to look around in"] = False,
    fast: Annotated[bool, "do not wait for anybody to read"] = False,
) -> Report:
    """Show the whole loop on real lessons, in a memory of its own, in under a minute."""
    import shutil
    import tempfile

    from hardwon.cli.demo.story import Story

    if keep and store in home.registry.all("trials"):
        raise UsageError(f"What the store {store} needs ends with the demo, so nothing can be kept; leave out --keep.")
    home.registry.get("stores", store)
    folder = Path(tempfile.mkdtemp(prefix="hardwon-demo-"))
    reads_along = not fast and sys.stdout.isatty()
    try:
        home.console.say(BEGINNING)
        with _settings(home, store, folder) as settings, _open(home, folder, settings) as own:
            told = Story(own, PAUSE if reads_along else 0.0).tell()
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    told |= {"home": str(folder / "home"), "kept": keep, "store": store}
    return Report(told, _ending(folder / "home", store, keep=keep))


@contextlib.contextmanager
def _settings(home: Home, store: str, folder: Path) -> Iterator[Settings]:
    """Lend settings under which a store works, as long as the demo lasts."""
    from hardwon.kernel.settings import Settings

    trials = home.registry.all("trials")
    with trials[store](folder) if store in trials else contextlib.nullcontext({}) as changes:
        yield Settings.model_validate({**changes, "store": store})


def _open(home: Home, folder: Path, settings: Settings) -> Home:
    """Open the demo's home; what keeps the store is written beside it, for whoever looks around in it later."""
    own = Home(folder / "home", named_by="the demo", console=home.console, settings=settings)
    if settings.store != "files":
        own.create()
        (own.path / "config.toml").write_text(f'store = "{settings.store}"\n', encoding="utf-8")
    return own


def _ending(path: Path, store: str, *, keep: bool) -> str:
    if keep:
        vault = f"\n\nThe folder `{path / 'memory'}` opens as an Obsidian vault." if store == "files" else ""
        return (
            f"The memory is kept at `{path}`. Look around:\n\n"
            f"- `hardwon review list --home {path}`\n- `hardwon rules --home {path}`\n"
            f'- `hardwon recall "cache files" --everywhere --explain --home {path}`{vault}\n\n'
            "Remove it when you are done."
        )
    return (
        "The demo's memory is removed again (`hardwon demo --keep` leaves it to look around in). Now yours:\n\n"
        "- `hardwon init`\n- `hardwon import LESSONS.md` in each project that has such a file\n"
        "- `hardwon consolidate`, then `hardwon review list`"
    )
