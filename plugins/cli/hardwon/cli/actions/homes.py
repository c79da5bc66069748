"""Commands about the memory as a whole: make it, see how it stands, see what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.actions.pauses import pause_text
from hardwon.cli.store_choice import chosen_store
from hardwon.cli.views import problem_lines
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.home import VERSION_FILE, Home
from hardwon.kernel.other_homes import told_aside

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.doctor import Check
    from hardwon.kernel.use_cases.harness_status import HarnessStatus
    from hardwon.kernel.use_cases.status import HomeStatus


def init(
    home: Home,
    *,
    store: Annotated[str, "the store that is to keep it: files, sqlite, postgres"] = "",
    url: Annotated[str, "where postgres finds its server: a URL without a password"] = "",
) -> Report:
    """Make the memory, if it is not there yet, and say where it is."""
    from hardwon.kernel.identity import identify
    from hardwon.kernel.use_cases.replica import refresh_replica

    created = not home.exists
    with chosen_store(home, store, url):
        home.create()
        problems = home.storage.problems()
    refresh_replica(home)
    identity = identify(Path.cwd())
    data = {
        "home": str(home.path),
        "named_by": home.named_by,
        "created": created,
        "project": identity.key if identity else None,
    }
    text = f"{'Made a memory' if created else 'There is a memory already'} at `{home.path}` (named by {home.named_by})."
    if identity:
        text += f"\n\nThis folder is project `{identity.key}` (named by {identity.named_by})."
    if problems:
        text += f"\n\n{problem_lines(problems)}"
    return Report(data, text + '\n\nGo on with `hardwon import LESSONS.md` or `hardwon remember "…"`.')


def status(home: Home) -> Report:
    """Say where the memory is, what is in it, and what awaits you."""
    from hardwon.kernel.use_cases.status import home_status

    found = home_status(home)
    if not found.exists:
        aside = told_aside(home.path, VERSION_FILE)
        text = f"There is no memory yet at `{home.path}` (named by {home.named_by}); run `hardwon init`.{aside}"
        return Report(found, "\n".join([text, *_harness_lines(found)]))
    return Report(found, _status_text(found))


def _status_text(found: HomeStatus) -> str:
    from hardwon.kernel.asking.standing import model_text
    from hardwon.kernel.use_cases.running.wording import schedule_lines

    lines = [
        f"- Memory: `{found.home}` (named by {found.named_by}), store `{found.store}`",
        f"- This folder: {f'project `{found.project}`' if found.project else 'no project'}",
        f"- Embeddings: {_embedding_text(found.embedding)}",
        f"- Memories: {_counts_text(found.kinds)} of {counted(found.projects, 'project')}",
        f"- Review queue: {_queue_text(found.queue)}",
        *_harness_lines(found),
        *(f"- Paused {pause_text(each)}" for each in found.paused),
        *(f"- {line}" for line in (schedule_lines(found.schedule) if found.schedule else ())),
        *([f"- Language model: {model_text(found.language_model)}"] if found.language_model else []),
        *([f"- Waiting to be taken in: {counted(found.spooled, 'event')}"] if found.spooled else []),
        f"- Problems: {counted(len(found.problems), 'problem') if found.problems else 'none'}",
    ]
    return "\n".join(lines) + (f"\n\n{problem_lines(found.problems)}" if found.problems else "")


def _queue_text(pending: int | None) -> str:
    if pending is None:
        return "cannot be read now"
    waiting = f"{counted(pending, 'proposal')} {'awaits' if pending == 1 else 'await'} you"
    return waiting + (" (`hardwon review list`)" if pending else "")


def _harness_lines(found: HomeStatus) -> list[str]:
    return [line for each in found.harnesses for line in (_harness_line(each), *_left_to_do(each))]


def _harness_line(status: HarnessStatus) -> str:
    off = [name for name, is_on in (("capture", status.capture), ("recall", status.recall)) if not is_on]
    if status.problem:
        state = f"NOT KNOWN. {status.problem}"
    elif status.connected:
        last = (
            f"last turn captured {status.last_capture:%Y-%m-%d %H:%M}"
            if status.last_capture
            else "nothing captured yet"
        )
        state = f"connected, {last}" + (f"; {' and '.join(off)} off" if off else "")
    elif status.home:
        state = f"connected with another memory, `{status.home}`"
    else:
        state = f"installed, not connected (`hardwon setup {status.harness}`)"
    return f"- {status.title} ({status.harness}): {state}"


def _left_to_do(status: HarnessStatus) -> list[str]:
    return [f"  - Left to you: {sentence}" for sentence in status.to_do]


def _embedding_text(progress: dict[str, Any]) -> str:
    if progress["space"] is None:
        return f"none, so search is by words alone ({progress['reason']})"
    state = "working in the background" if progress["running"] else "at rest"
    return f"{progress['embedded']:,} of {counted(progress['total'], 'text')} in `{progress['space']}`, {state}"


def _counts_text(kinds: dict[str, int]) -> str:
    return ", ".join(counted(number, kind) for kind, number in kinds.items()) or "none yet"


def doctor(
    home: Home,
    *,
    upgrade_check: Annotated[bool, "rehearse on a copy what this version makes of the home; touch nothing"] = False,
) -> Report:
    """Check everything, and say exactly what is wrong and how to mend it."""
    from hardwon.kernel.use_cases.doctor import examine

    if upgrade_check:
        from hardwon.cli.actions.upgrading import rehearsal

        return rehearsal(home)
    checks = examine(home)
    wrong = [problem for check in checks for problem in check.problems]
    lines = []
    for check in checks:
        lines.append(f"- {_verdict(check)}: {check.name}")
        lines += [f"  - {line}" for line in check.told]
    verdict = "All is well." if not wrong else f"{counted(len(wrong), 'problem')}:\n\n{problem_lines(wrong)}"
    data = {
        "healthy": not wrong,
        "checks": [
            {"name": each.name, "problems": each.problems, "skipped": each.skipped, "told": each.told}
            for each in checks
        ],
    }
    return Report(data, "\n".join(lines) + f"\n\n{verdict}", failed=bool(wrong))


def _verdict(check: Check) -> str:
    if check.skipped:
        return "not looked at, since the settings cannot be read"
    return "WRONG" if check.problems else "ok"


def plugins(home: Home) -> Report:
    """List the plugins that are loaded, left out and broken, with what they offer."""
    from hardwon.kernel.registry import KINDS

    registry = home.registry
    offers = {
        point.name: {
            kind: [name for name in registry.all(kind) if registry.owner(kind, name) == point.name] for kind in KINDS
        }
        for point in registry.loaded
    }
    data = {
        "loaded": [
            {
                "name": point.name,
                "distribution": point.distribution,
                "offers": {kind: names for kind, names in offers[point.name].items() if names},
            }
            for point in registry.loaded
        ],
        "left_out": [{"name": point.name, "distribution": point.distribution} for point in registry.left_out],
        "broken": registry.broken,
    }
    return Report(data, _plugins_text(data), failed=bool(registry.broken))


def _plugins_text(data: dict[str, Any]) -> str:
    lines = []
    for plugin in data["loaded"]:
        lines.append(f"- `{plugin['name']}` of {plugin['distribution']}")
        lines += [f"  - {kind.replace('_', ' ')}: {', '.join(names)}" for kind, names in plugin["offers"].items()]
    lines += [f"- `{each['name']}` of {each['distribution']}: left out" for each in data["left_out"]]
    lines += [f"- `{each.name}` of {each.distribution}: BROKEN ({each.reason})" for each in data["broken"]]
    return "\n".join(lines)


def stats(home: Home) -> Report:
    """Count what is in the memory and what was done with it."""
    from hardwon.kernel.use_cases.status import statistics

    home.require()
    data = statistics(home)
    sections = []
    for title, counts in data.items():
        rows = "\n".join(f"| {name} | {number:,} |" for name, number in counts.items())
        sections.append(f"## {title.capitalize()}\n\n| | |\n|---|---:|\n{rows}" if rows else "")
    return Report(data, "\n\n".join(filter(None, sections)) or "Nothing is here yet.")
