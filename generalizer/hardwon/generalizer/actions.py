"""The generalizer's commands: look at all lessons now, and see which causes it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.capture import Captured
    from hardwon.kernel.use_cases.consolidating.outcome import Consolidation


def consolidate(
    home: Home,
    *,
    dry_run: Annotated[bool, "show what would be proposed, and change nothing"] = False,
    full: Annotated[bool, "use nothing that earlier runs kept, as if this were the first one"] = False,
    due: Annotated[bool, "only if the schedule says so; for cron and other timers"] = False,
) -> Report:
    """Look for causes that lessons of several projects share, and propose rules for your review."""
    from hardwon.kernel.use_cases.consolidate import consolidate as look
    from hardwon.kernel.use_cases.running.run import PATIENCE, run

    if due and dry_run:
        raise UsageError("--due makes a run and --dry-run makes none; give one of them.")
    if due and full:
        raise UsageError("--due makes the run that the schedule asks for, and --full another one; give one of them.")
    if due:
        return _consolidate_if_due(home)
    result = look(home, dry_run=True, full=full) if dry_run else run(home, "command", PATIENCE, full=full)
    return _report(home, result, dry_run=dry_run)


def _consolidate_if_due(home: Home) -> Report:
    from hardwon.kernel.use_cases.running.due import LOCK_FILE, plan_of
    from hardwon.kernel.use_cases.running.holder import current_holder
    from hardwon.kernel.use_cases.running.run import run_if_due
    from hardwon.kernel.use_cases.running.wording import why_none

    result = run_if_due(home, "schedule")
    if result:
        return _report(home, result, dry_run=False)
    plan = plan_of(home)
    why = why_none(plan, current_holder(home.path / LOCK_FILE))
    return Report({"ran": False, "why": why, "next": plan.following}, f"No run was made. {why}")


def _report(home: Home, result: Consolidation, *, dry_run: bool) -> Report:
    data = {
        "lessons": result.lessons,
        "projects": result.projects,
        "proposals": [each.id for each in result.proposals],
        "added": list(result.added),
        "refreshed": list(result.refreshed),
        "withdrawn": list(result.withdrawn),
        "kept_out": result.kept_out,
        "captured": {"sessions": result.captured.sessions, **result.captured.learned.counts()},
        "dry_run": dry_run,
        "unchanged": result.unchanged,
        "steps": dict(result.steps),
        "problems": [each.model_dump() for each in result.problems],
    }
    captured = result.captured
    lines = [_captured_text(captured)] if captured.sessions else []
    lines += _unchanged_text(result) if result.unchanged else _looked_at_text(result, dry_run=dry_run)
    lines += _model_text(home, result)
    if result.proposals and not dry_run:
        lines.append("Run `hardwon review list` to decide on them.")
    if not result.proposals:
        wanted = home.settings.generalizer
        lines.append(
            f"Nothing is proposed: a proposal takes {counted(wanted.minimum_lessons, 'lesson')} of "
            f"{counted(wanted.minimum_projects, 'project')} that tell of one cause."
        )
    lines += [f"{each.where}: {each.what}" for each in result.problems]
    return Report(data, "\n\n".join(lines), failed=len(result.problems) > len(captured.problems))


def _unchanged_text(result: Consolidation) -> list[str]:
    told = f"{counted(result.lessons, 'lesson')} of {counted(result.projects, 'project')}"
    return [
        f"Nothing is different from what the last run looked at ({told}), so nothing is proposed anew; "
        "`hardwon consolidate --full` looks all the same.",
        *_steps_text(result),
    ]


def _looked_at_text(result: Consolidation, *, dry_run: bool) -> list[str]:
    lines = [f"Looked at {counted(result.lessons, 'lesson')} of {counted(result.projects, 'project')}."]
    if result.kept_out:
        lines.append(f"Kept out by their projects' settings: {counted(result.kept_out, 'lesson')}.")
    would = "would be " if dry_run else ""
    lines.append(
        f"{counted(len(result.added), 'proposal')} {would}new, {len(result.refreshed)} {would}brought up to date, "
        f"{len(result.withdrawn)} {would}withdrawn."
    )
    return lines + _steps_text(result)


def _steps_text(result: Consolidation) -> list[str]:
    return [*_bearings_text(result), *_examined_text(result)]


def _examined_text(result: Consolidation) -> list[str]:
    """Say what memories are to those that stood before; nothing where nothing was found."""
    same, opposed = result.steps.get("duplicate", 0), result.steps.get("contradiction", 0)
    lines = []
    if same:
        lines.append(f"Say the same as others, and are evidence for these: {counted(same, 'memory', 'memories')}.")
    if opposed:
        told = counted(opposed, "memory", "memories")
        lines.append(f"Cannot hold beside others: {told}; `hardwon review list` asks which hold.")
    return lines


def _bearings_text(result: Consolidation) -> list[str]:
    """Say what was linked to rules without asking, and where it is seen; nothing where nothing was."""
    joined, opposed = result.steps.get("corroborated", 0), result.steps.get("contradicted", 0)
    told = [f"{counted(joined, 'lesson')} joined a rule"] if joined else []
    told += [f"{counted(opposed, 'lesson')} noted as speaking against one"] if opposed else []
    return [f"{', '.join(told)}; `hardwon log` names them."] if told else []


def _model_text(home: Home, result: Consolidation) -> list[str]:
    """Say what the language model worded, and why not the rest; nothing where it had nothing to do."""
    worded, unworded = result.steps.get("worded_by_model", 0), result.steps.get("left_without_words", 0)
    if home.language_model is None or not worded + unworded:
        return []
    left = f", {unworded} left without words" if unworded else ""
    why = home.language_model.reason_not_to_ask() or home.language_model.last_failure if unworded else ""
    return [f"Worded by {home.language_model.name}: {worded}{left}{f' ({why})' if why else ''}."]


def _captured_text(captured: Captured) -> str:
    kept = counted(len(captured.learned.kept), "memory", "memories")
    return f"Took {counted(captured.sessions, 'session')} that waited, and kept {kept} of them."


def concepts(home: Home, text: Annotated[str, "words of a topic or title; all causes without it"] = "") -> Report:
    """List the causes of trouble that the generalizer recognises, with their principles."""
    from hardwon.generalizer.offline import OfflineGeneralizer

    wanted = text.casefold()
    found = [
        concept
        for concept in OfflineGeneralizer(home).concepts
        if wanted in f"{concept.topic} {' '.join(concept.title.values())}".casefold()
    ]
    data = [
        {"topic": concept.topic, "title": dict(concept.title), "principle": dict(concept.principle)}
        for concept in found
    ]
    lines = [f"{counted(len(found), 'cause')}."] if found else [f"No cause has “{text}” in its topic or title."]
    for concept in found:
        lines.append(f"- **{concept.topic}** " + " / ".join(concept.principle.values()))
    return Report(data, "\n".join(lines))


CONSOLIDATE = Action(consolidate, "consolidate --dry-run")
CONCEPTS = Action(concepts, "concepts locks", reads_only=True)
