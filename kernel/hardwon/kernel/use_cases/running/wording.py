"""The schedule in words: as `status`, `schedule show` and `serve` say it."""

from __future__ import annotations

from datetime import datetime

from hardwon.kernel.counting import counted
from hardwon.kernel.local_time import local_zone
from hardwon.kernel.use_cases.running.due import Plan
from hardwon.kernel.use_cases.running.holder import Holder
from hardwon.kernel.use_cases.running.records import LOOKED_AT, QUEUE, Outcome, Run, Spent
from hardwon.kernel.use_cases.running.run import who
from hardwon.kernel.use_cases.running.standing import NOBODY, SESSION, ScheduleStatus

OF_MAKERS = {
    "command": "from the command line",
    "schedule": "scheduled",
    "session": "after a session",
    "serve": "by `hardwon serve`",
}


def schedule_lines(status: ScheduleStatus) -> list[str]:
    """Return a line for the last run, the last try where it was none, what goes on now, and the next run."""
    lines = [f"Last run: {run_text(status.last)}" if status.last else "Last run: none yet"]
    if status.last_try:
        lines.append(f"Last try: {run_text(status.last_try)}")
    if status.killed:
        lines.append(f"Last try: begun {shown(status.killed)}, and ended from outside; the next run goes on")
    if status.running:
        lines.append(f"Now: {who(status.running)}")
    return [*lines, f"Next run: {next_text(status)}"]


def run_text(run: Run) -> str:
    """Return when a run was made, how long it took, and what came of it."""
    maker = OF_MAKERS.get(run.by, run.by)
    beginning = f"{shown(run.began)} ({maker}), {run.seconds:,.1f} s"
    if run.outcome is Outcome.FAILED:
        return f"{beginning}: FAILED. {run.error}"
    if run.outcome is Outcome.STOPPED:
        return f"{beginning}: stopped before its end; the next run goes on"
    return f"{beginning}: {_read_text(run)}; {_found_text(run)}{_spent_text(run.spent)}"


def _read_text(run: Run) -> str:
    counts = run.counts
    read = f"read {counted(counts.get('lessons', 0), 'lesson')}"
    if counts.get("projects"):
        read += f" of {counted(counts['projects'], 'project')}"
    if counts.get("sessions"):
        read += f" and {counted(counts['sessions'], 'session')}"
    return read + (f", skipped {counted(counts['kept_out'], 'lesson')}" if counts.get("kept_out") else "")


def _found_text(run: Run) -> str:
    if run.found_nothing:
        return "found nothing new"
    counts = run.counts
    told = [f"proposed {counts.get('added', 0)}", f"brought {counts.get('refreshed', 0)} up to date"]
    told.append(f"withdrew {counts.get('withdrawn', 0)}")
    others = {name: number for name, number in counts.items() if number and name not in {*LOOKED_AT, *QUEUE}}
    return ", ".join([*told, *(f"{name.replace('_', ' ')} {number}" for name, number in others.items())])


def _spent_text(spent: Spent) -> str:
    if not spent.calls:
        return ""
    return f"; {counted(spent.calls, 'call')} of the model, {spent.tokens:,} tokens, ${spent.dollars:.4f}"


def next_text(status: ScheduleStatus) -> str:
    """Return when the next run is, and who would make it."""
    if not status.line.strip():
        return "only by hand (`schedule.consolidate` is empty)"
    if status.next is None:
        return f"never: the line `{status.line}` names a day that does not come"
    if status.paused:
        return "when the pause ends"
    if status.rests_until:
        return f"tried again from {shown(status.rests_until)}, after tries that did not come to their end"
    when = f"due since {shown(status.next)}" if status.is_due else shown(status.next)
    if status.made_by == NOBODY:
        return f"{when}, by nobody (`hardwon schedule install`, `hardwon serve`, or `hardwon consolidate` by hand)"
    return f"{when}, {status.made_by}" if status.made_by == SESSION else f"{when}, by {status.made_by}"


def why_none(plan: Plan, running: Holder | None) -> str:
    """Return why no run was made for who asked for one that is due, as a sentence, with the next one."""
    if running:
        why = who(running)
    elif plan.is_due and plan.paused:
        why = "A pause holds"
    elif plan.rests_until:
        why = f"Tries that did not come to their end rest until {shown(plan.rests_until)}"
    else:
        why = "No run is due"
    return f"{why}; the next is planned for {shown(plan.following)}." if plan.following else f"{why}; none is planned."


def shown(moment: datetime) -> str:
    """Return a moment as the clocks here show it."""
    return f"{moment.astimezone(local_zone()):%Y-%m-%d %H:%M}"
