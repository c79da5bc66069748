"""What is kept from run to run, in `generalizer/` of the home: all of it can be made again, and may be deleted."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hardwon.kernel.whole_file import clear_leftovers

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

FOLDER = "generalizer"


def clear_derived(home: Home) -> None:
    """Remove all of it: the run that follows looks at everything anew."""
    folder = home.path / FOLDER
    if folder.is_dir():
        for path in folder.iterdir():
            if path.is_file():
                path.unlink(missing_ok=True)


def tidy(home: Home) -> None:
    """Remove what processes that were killed left unfinished."""
    with contextlib.suppress(OSError):
        for folder in (home.path, home.path / FOLDER):
            clear_leftovers(folder)
