"""Pruning: what the machine notes by itself does not grow for ever; what a person did or wrote is never pruned.

Feedback, pauses, and what an import or a captured session kept are looked at without end: confidence is computed from
the first, a transcript that is read years later is silent about the second, a session is taken back by the third. What
was shown, run, embedded and asked of a model is looked back at for a year at most.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel import spool
from hardwon.kernel.asking import answers
from hardwon.kernel.use_cases import capture
from hardwon.kernel.use_cases.spooled import BROKEN
from hardwon.kernel.whole_file import clear_leftovers

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.records import Activity

BY_ITSELF = frozenset(["shown", "consolidate", "embed", "model"])
"""Kinds of activity that only tell what the machine did."""
MOST_BROKEN = 1_000
"""Captured events that cannot be read, of which the newest are kept for a person to look at."""
UNFINISHED = 86_400.0
"""Seconds after which a file that was never put into its place is nobody's any more."""
_LEFTOVERS = (".version-*", ".past-sessions.json.*")
"""As they were named before `write_whole` wrote every file."""


def prune(home: Home) -> dict[str, int]:
    """Remove what is no longer needed; return how much of what. Raises StoreError."""
    now = home.clock.now()
    for folder in ("hook", "activity", answers.FOLDER):  # each run itself clears the others
        clear_leftovers(home.path / folder)
    return {
        "activity": home.storage.ledger.prune(_months_ago(now, home.settings.activity.keep_months), _is_kept),
        "broken": _remove(_old_broken(home.path)),
        "unfinished": _remove(_unfinished(home.path, now.timestamp())),
    }


def _months_ago(now: datetime, months: int) -> datetime:
    """Return the beginning of the month so many months ago."""
    years, month = divmod(now.astimezone(UTC).month - 1 - months, 12)
    return datetime(max(1, now.astimezone(UTC).year + years), month + 1, 1, tzinfo=UTC)


def _is_kept(activity: Activity) -> bool:
    if activity.kind == capture.KIND:
        return bool(activity.details.get("memories") or activity.details.get("lost"))
    return activity.kind not in BY_ITSELF


def _old_broken(home: Path) -> Iterator[Path]:
    """Walk what cannot be read, with the reasons, but the newest."""
    folder = home / spool.FOLDER / BROKEN
    names = sorted(path.stem for path in folder.glob(f"*{spool.ENDING}"))
    for name in names[:-MOST_BROKEN]:
        yield folder / f"{name}{spool.ENDING}"
        yield folder / f"{name}.txt"


def _unfinished(home: Path, now: float) -> Iterator[Path]:
    for pattern in _LEFTOVERS:
        for path in home.glob(pattern):
            with contextlib.suppress(OSError):
                if abs(now - path.stat().st_mtime) > UNFINISHED:
                    yield path


def _remove(paths: Iterator[Path]) -> int:
    """Remove files; return how many went. One that cannot be removed is tried again next time."""
    removed = 0
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()
            removed += 1
    return removed
