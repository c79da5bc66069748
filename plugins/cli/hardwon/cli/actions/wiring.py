"""Commands that connect the memory with coding agents, and take that back: setup and unset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.actions.differences import difference, is_own, named
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.setup import Wiring


def setup(
    home: Home,
    harnesses: Annotated[tuple[str, ...], "coding agents, as in claude-code; all that are installed if left out"] = (),
    *,
    yes: Annotated[bool, "do not ask"] = False,
    dry_run: Annotated[bool, "show what would be changed, and change nothing"] = False,
) -> Report:
    """Connect coding agents with the memory; each change is shown before it is made."""
    from hardwon.kernel.use_cases.setup import plan, prepare, wanted_harnesses, wire

    home.refuse_newer()
    plans = [plan(home, name) for name in wanted_harnesses(home, harnesses)]
    for each in plans:
        if each.changes:
            home.console.say(_plan_text(each))
    agreed = [] if dry_run else [each for each in plans if _is_agreed(home, each, yes=yes)]
    prepared = prepare(home) if agreed else []
    wired = {each.harness: wire(home, each.harness) for each in agreed}
    results = [_result(each, wired.get(each.harness)) for each in plans]
    data: dict[str, Any] = {
        "home": str(home.path),
        "dry_run": dry_run,
        "known": sorted(home.registry.all("harnesses")),
        "prepared": prepared,
        "harnesses": results,
        "past_sessions": _past_sessions(home, results),
        "lesson_files": _lesson_files(),
    }
    shown = [_setup_text(data)]
    if agreed and not yes:
        shown += _previews(home, data["past_sessions"])
    return Report(data, "\n\n".join(shown), failed=any(each["problem"] for each in results))


def _plan_text(plan: Wiring) -> str:
    parts = [f"## {plan.title}"]
    parts += [f"```diff\n{difference(change)}\n```" for change in plan.changes if not is_own(change)]
    if own := [f"- {named(change)}" for change in plan.changes if is_own(change)]:
        parts.append("Files of hardwon's own (`--json` has their text):\n\n" + "\n".join(own))
    return "\n\n".join(parts)


def _is_agreed(home: Home, plan: Wiring, *, yes: bool) -> bool:
    """Tell whether to go on with a harness; where nothing is to be changed there is nothing to ask."""
    if plan.problem:
        return False
    question = f"Make {'this change' if len(plan.changes) == 1 else f'these {len(plan.changes)} changes'}?"
    return yes or not plan.changes or home.console.confirm(f"{plan.title}: {question}")


def _result(plan: Wiring, wired: Wiring | None) -> dict[str, Any]:
    """Return what is told of one harness; `wired` is None where nothing was done."""
    shown = wired or plan
    return {
        "harness": plan.harness,
        "title": plan.title,
        "wired": wired is not None and wired.problem is None,
        "changes": [{"path": str(change.path), "diff": difference(change)} for change in plan.changes],
        "done": list(shown.done),
        "to_do": list(shown.to_do),
        "problem": shown.problem,
    }


def _past_sessions(home: Home, results: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Return how many past sessions each harness keeps, where there are any."""
    from hardwon.kernel.use_cases.setup import past_sessions

    names = [each["harness"] for each in results if not each["problem"]]
    return {name: number for name in names if (number := past_sessions(home, name))}


def _previews(home: Home, sessions: Mapping[str, int]) -> list[str]:
    """Return what past sessions would teach, for a person who wants to look; nothing is taken."""
    from hardwon.cli.actions.past_sessions import take

    number = counted(sum(sessions.values()), "past session")
    if not sessions or not home.console.confirm(f"Look now at what {number} would teach? Nothing is taken."):
        return []
    return [f"## {name}\n\n{take(home, name, (), None, None, again=False, dry_run=True).text}" for name in sessions]


def _lesson_files() -> list[str]:
    """Return the files of this folder's project that may hold lessons."""
    from hardwon.kernel.identity import identify
    from hardwon.kernel.use_cases.setup import lesson_files

    identity = identify(Path.cwd())
    return [str(path) for path in lesson_files(Path(identity.root))] if identity else []


def _setup_text(data: dict[str, Any]) -> str:
    if not data["known"]:
        return (
            "No plugin for a coding agent is installed; install those of yours, as in "
            "`pip install ./plugins/command_hooks ./plugins/mcp ./plugins/claude_code` in hardwon's checkout."
        )
    if not data["harnesses"]:
        return "No coding agent was found here; name one to connect it all the same, as in `hardwon setup claude-code`."
    parts = ["\n".join(line for each in data["harnesses"] for line in _result_lines(each, dry_run=data["dry_run"]))]
    if any(each["wired"] for each in data["harnesses"]):
        parts.append(f"The memory is `{data['home']}`; sessions that begin from now on use it.")
    offers = [
        f"- `hardwon import --from {name} --dry-run`: {counted(number, 'past session')}"
        for name, number in data["past_sessions"].items()
    ]
    offers += [f"- `hardwon import {path} --dry-run`" for path in data["lesson_files"]]
    if offers:
        parts.append("What was learned before can be taken in; this shows what it would be:\n\n" + "\n".join(offers))
    return "\n\n".join(parts)


def _result_lines(result: dict[str, Any], *, dry_run: bool) -> list[str]:
    number = counted(len(result["changes"]), "file")
    if result["problem"]:
        state = f"NOT CONNECTED. {result['problem']}"
    elif result["wired"]:
        state = f"connected, {number} changed." if result["done"] else "was connected already; nothing was changed."
    elif not result["changes"]:
        state = "is connected; nothing would be changed."
    elif dry_run:
        state = f"{number} would be changed as shown above."
    else:
        state = "left as it was, since nobody agreed to the changes shown above; `--yes` agrees."
    return [f"- **{result['title']}**: {state}", *(f"  - Left to you: {sentence}" for sentence in result["to_do"])]


def unset(
    home: Home,
    harnesses: Annotated[tuple[str, ...], "coding agents; all that are connected if left out"] = (),
    *,
    purge: Annotated[bool, "disconnect all, and remove the memory itself for good"] = False,
    yes: Annotated[bool, "do not ask before the memory is removed"] = False,
) -> Report:
    """Disconnect coding agents from the memory: their settings become what they were; the memory stays."""
    from hardwon.kernel.use_cases.setup import remove_home, require_real_home, unwire, wanted_harnesses

    home.refuse_newer()
    if purge:
        require_real_home(home)
    named = wanted_harnesses(home, harnesses) if harnesses else []
    # Without the memory, none can stay connected.
    names = named if named and not purge else sorted(home.registry.all("harnesses"))
    results = [_result(each, None) for each in (unwire(home, name) for name in names)]
    failed = any(each["problem"] for each in results)
    purged = purge and not failed and (yes or home.console.confirm(f"Remove the memory {home.path} for good?"))
    if purged:
        remove_home(home)
    data = {"home": str(home.path), "exists": home.exists, "harnesses": results, "purged": purged}
    return Report(data, _unset_text(data, purge=purge), failed=failed)


def _unset_text(data: dict[str, Any], *, purge: bool) -> str:
    lines = []
    for each in data["harnesses"]:
        if each["problem"]:
            lines.append(f"- **{each['title']}**: NOT DISCONNECTED. {each['problem']}")
        elif each["done"]:
            lines.append(f"- **{each['title']}**: disconnected, {counted(len(each['done']), 'file')} changed back.")
        lines += [f"- **{each['title']}**: {sentence}" for sentence in each["to_do"]]
    parts = ["\n".join(lines) or "No coding agent is connected with this memory."]
    if data["purged"]:
        parts.append(f"The memory {data['home']} was removed.")
    elif purge:
        parts.append(f"The memory stays at `{data['home']}`: nobody agreed to remove it; `--yes` agrees.")
    elif data["exists"]:
        parts.append(f"The memory stays at `{data['home']}`; `hardwon unset --purge` removes it, too.")
    return "\n\n".join(parts)
