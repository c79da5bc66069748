"""Commands about what was done: a list of it, and taking back one import, session or backfill."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.actions.moments import asked_moment
from hardwon.cli.views import escaped, memory_json, memory_lines
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.operations import Operation

_TOLD = {
    "turns": "turn",
    "extracts": "candidate",
    "kept": "memory kept",
    "taken": "memory taken",
    "added": "new proposal",
    "withdrawn": "proposal withdrawn",
    "filled": "lesson filled in",
}
"""What is told of an operation's numbers, in the singular."""


def log(
    home: Home,
    *,
    limit: Annotated[int, "at most so many, the newest ones"] = 20,
    since: Annotated[str | None, "only since this day, as 2026-11-30"] = None,
) -> Report:
    """List what was done to the memory: imports, captured sessions, decisions, consolidations, backfills, reverts."""
    from hardwon.kernel.use_cases.operations import operations

    home.require()
    if limit < 1:
        raise UsageError("--limit takes a number above 0.")
    found = operations(home, asked_moment(since))
    lines = [_line(each) for each in found[:limit]]
    if len(found) > limit:
        lines.append(f"- and {len(found) - limit:,} more; --limit shows them")
    return Report([asdict(each) for each in found[:limit]], "\n".join(lines) or "Nothing yet.")


def _line(operation: Operation) -> str:
    named = f" `{escaped(operation.id)}`" if operation.id else ""
    if operation.said:
        return f"- {operation.at:%Y-%m-%d %H:%M} {operation.kind}: {escaped(operation.said)}"
    about = f" ({escaped(operation.about)})" if operation.about else ""
    counts = [_counted(operation.counts[name], word) for name, word in _TOLD.items() if operation.counts.get(name)]
    told = ", ".join([*counts, *map(escaped, operation.notes)])
    return f"- {operation.at:%Y-%m-%d %H:%M} {operation.kind}{named}{about}{f': {told}' if told else ''}"


def _counted(number: int, word: str) -> str:
    """Return a number with its noun, of which the first word stands in the plural."""
    noun, _, rest = word.partition(" ") if word.startswith(("lesson", "memory", "proposal")) else (word, "", "")
    plural = "memories" if noun == "memory" else None
    return " ".join(filter(None, (counted(number, noun, plural) if plural else counted(number, noun), rest)))


def revert(
    home: Home, id: Annotated[str, "the id of an import, a session or a backfill, or the start of it"]
) -> Report:
    """Take back an import or a session: its memories go to the archive; or a backfill: its words go out of lessons."""
    from hardwon.kernel.use_cases.reverting import revert as take_back

    home.require()
    done = take_back(home, id)
    data: dict[str, Any] = {
        "kind": done.kind,
        "id": done.id,
        "memories": [memory_json(entry) for entry in done.memories],
        "turns": done.turns,
    }
    if not (done.memories or done.turns):
        return Report(data, f"Nothing of the {done.kind} `{escaped(done.id)}` stands any more.")
    if done.kind == "backfill":
        text = f"Took the words of the backfill `{escaped(done.id)}` out of {counted(len(done.memories), 'lesson')}."
        return Report(data, f"{text}\n\n{memory_lines(done.memories)}")
    text = (
        f"Took back the {done.kind} `{escaped(done.id)}`: {counted(len(done.memories), 'memory', 'memories')} archived,"
        f" {counted(done.turns, 'turn')} out of the journal; an import with --forgotten takes it again."
    )
    return Report(data, f"{text}\n\n{memory_lines(done.memories)}" if done.memories else text)
