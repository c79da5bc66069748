"""The command that fills in what old lessons lack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.generalizer.backfill import Backfilled


def backfill(
    home: Home,
    *,
    dry_run: Annotated[bool, "say what the lessons' own words give; change nothing, ask no model"] = False,
    limit: Annotated[int, "fill in at most so many lessons; 0: all"] = 0,
) -> Report:
    """Fill in the situation, cause, fix and principle of lessons that have none; nobody's words are touched."""
    from hardwon.generalizer.backfill import backfill as run

    home.require()
    if limit < 0:
        raise UsageError("--limit takes a number of lessons; 0 means all.")
    done = run(home, limit=limit or None, dry_run=dry_run)
    data = {
        "dry_run": dry_run,
        "backfill": done.filled.id,
        "lessons": done.lessons,
        "complete": done.complete,
        "filled": [{"id": each.entry.id, "by": each.by, "fields": dict(each.fields)} for each in done.filled.lessons],
        "by": dict(done.by),
        "left": dict(done.left),
        "beyond_limit": done.beyond,
        "without_model": done.without_model,
        "why_without_model": done.why_without,
    }
    return Report(data, _text(done, dry_run=dry_run))


def _text(done: Backfilled, *, dry_run: bool) -> str:
    filled = done.filled.lessons
    words = ", ".join(
        f"{number} {'from their own words' if by == 'derived' else f'by {by}'}" for by, number in done.by.items()
    )
    would = "would be filled in" if dry_run else "filled in"
    lines = [
        f"{counted(done.lessons, 'lesson')}: {len(filled)} {would}{f' ({words})' if words else ''}, "
        f"{done.with_principle} of them with a principle; {done.complete} lacked nothing."
    ]
    lines += [f"- {counted(number, 'lesson')} left: {reason}" for reason, number in done.left.most_common()]
    lines += [f"- {counted(done.beyond, 'lesson')} left: beyond the limit; run it again"] if done.beyond else []
    if done.without_model:
        why = f": {done.why_without}" if done.why_without else ""
        lines.append(f"- For {counted(done.without_model, 'lesson')} the language model gave no answer{why}")
    if dry_run:
        lines += [f"- would be: `{each.entry.id}` {', '.join(each.fields)}" for each in filled[:20]]
    elif done.filled.id:
        lines.append(f"\n`hardwon revert {done.filled.id}` takes it back.")
    return "\n".join(lines)


BACKFILL = Action(backfill, "backfill --dry-run")
