"""The schedule's commands: see it, have the system's timers start due runs, take that back, and serve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.errors import HardwonError, InvalidInput, Unavailable, UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.ports import Timer


def show(home: Home) -> Report:
    """Say when lessons are looked at, what the last run did, and who makes the next one."""
    from hardwon.kernel.use_cases.harness_status import harness_statuses
    from hardwon.kernel.use_cases.running.standing import schedule_status
    from hardwon.kernel.use_cases.running.wording import schedule_lines

    home.require()
    status = schedule_status(home, harness_statuses(home))
    timers = {name: _state(home, timer, status.line) for name, timer in _timers(home).items()}
    lines = [f"- Planned: `{status.line}`, in local time" if status.line else "- Planned: nothing"]
    lines += [f"- {line}" for line in schedule_lines(status)]
    lines += [f"- {name}: {state}" for name, state in timers.items()]
    return Report({"schedule": status, "timers": timers}, "\n".join(lines))


def _timers(home: Home) -> dict[str, Timer]:
    return {name: open_timer() for name, open_timer in home.registry.all("timers").items()}


def _state(home: Home, timer: Timer, line: str) -> str:
    if timer.installed(home.path):
        if not line or timer.is_current(home.path, line):
            return "installed"
        return "installed for other times, or another Python; run `hardwon schedule install` again"
    return "not installed" + (f". {why}" if (why := timer.missing()) else "")


def install(
    home: Home,
    *,
    cron: Annotated[bool, "by a line in your crontab"] = False,
    systemd: Annotated[bool, "by a timer of systemd for your user"] = False,
    dry_run: Annotated[bool, "show what would be written, and write nothing"] = False,
) -> Report:
    """Have the system start the run when it is due; without an option, by systemd if it is there, else by cron."""
    home.require()
    line = home.settings.schedule.consolidate.strip()
    if not line:
        raise InvalidInput("The setting schedule.consolidate is empty; give it a crontab line such as 30 3 * * *.")
    name, timer = _chosen(home, cron=cron, systemd=systemd)
    if dry_run:
        text = timer.preview(home.path, line)
        return Report({"timer": name, "would_write": text}, f"`{name}` would get:\n\n```\n{text}```")
    changed = timer.install(home.path, line)
    return Report({"timer": name, "changed": changed}, "\n".join(changed) or f"It is installed already, by {name}.")


def _chosen(home: Home, *, cron: bool, systemd: bool) -> tuple[str, Timer]:
    """Return the timer that is meant. Raises UsageError, Unavailable."""
    if cron and systemd:
        raise UsageError("One timer suffices; give --cron or --systemd.")
    timers = _timers(home)
    if cron or systemd:
        name = "cron" if cron else "systemd"
        return name, home.registry.get("timers", name)()
    reasons = {name: timer.missing() for name, timer in timers.items()}
    for name, why in reasons.items():
        if why is None:
            return name, timers[name]
    told = " ".join(why for why in reasons.values() if why)
    raise Unavailable(f"Nothing here starts runs by itself; use `hardwon serve`, or let sessions do it. {told}")


def remove(home: Home) -> Report:
    """Take back what `schedule install` did."""
    home.require()
    changed: list[str] = []
    problems: list[str] = []
    for timer in _timers(home).values():
        try:
            changed += timer.remove(home.path)
        except HardwonError as error:
            problems.append(str(error))
    lines = [*changed, *problems] or ["Nothing was installed for this memory."]
    return Report({"changed": changed, "problems": problems}, "\n".join(lines), failed=bool(problems))


def serve(home: Home) -> Report:
    """Stay, take in what is captured, and make each run when it is due; Ctrl-C ends it."""
    from hardwon.generalizer.schedule.serving import Server

    home.require()
    Server(home).run()
    return Report({"served": str(home.path)}, "Ended; a run that was cut off goes on next time.")


ACTIONS = {
    "serve": Action(serve, "serve", narrates=True),
    "schedule show": Action(show, "schedule show", reads_only=True),
    "schedule install": Action(install, "schedule install --dry-run"),
    "schedule remove": Action(remove, "schedule remove"),
}
