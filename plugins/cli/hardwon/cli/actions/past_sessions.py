"""An import of past sessions, and its report: turns, candidates, what was kept of them, and why the rest was not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.cli.actions.moments import asked_moment
from hardwon.cli.views import escaped, problem_lines
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.sessions import SessionsImport

PREVIEWED, NAMED = 200, 20
"""Memories that a dry run, and a report of what was done, name one by one; --json has all."""
_TURNS = {
    "new": "new",
    "grew": "known, and went on since",
    "known": "known",
    "elsewhere": "copies of turns in other sessions",
    "retracted": "taken back by you",
    "off": "of projects, harnesses or times that are off",
}


def take(
    home: Home,
    harness: str,
    paths: Sequence[Path],
    since: str | None,
    project: str | None,
    again: bool,
    dry_run: bool,
) -> Report:
    """Take past sessions and say what came of them."""
    from hardwon.kernel.use_cases.embedding_process import start_embedding
    from hardwon.kernel.use_cases.sessions import import_sessions

    home.registry.get("harnesses", harness)
    if not dry_run:
        home.create()
    result = import_sessions(
        home,
        harness,
        paths,
        since=asked_moment(since),
        project=project,
        again=again,
        dry_run=dry_run,
    )
    if not dry_run:
        start_embedding(home)
    data = {**_json(result, dry_run=dry_run), "again": again}
    return Report(data, _text(data, result), failed=bool(result.problems))


def _json(result: SessionsImport, *, dry_run: bool) -> dict[str, Any]:
    learned = result.learned
    return {
        "dry_run": dry_run,
        "import": None if dry_run else result.id,
        "from": result.harness,
        "files": result.files,
        "unchanged": result.unchanged,
        "sessions": result.sessions,
        **learned.counts(),
        "memories": [
            {
                "id": entry.id,
                "kind": entry.kind,
                "title": entry.title,
                "project": entry.scope.project,
                "said_by": entry.source.said_by,
                "confidence": entry.confidence,
                "session": entry.source.session,
            }
            for entry in learned.kept
        ],
        "problems": result.problems,
    }


def _text(data: dict[str, Any], result: SessionsImport) -> str:
    would = "would be kept" if data["dry_run"] else "kept"
    unchanged = f" ({data['unchanged']:,} more are as they were read before)" if data["unchanged"] else ""
    parts = [
        f"{counted(data['files'], 'transcript')} of {data['from']} read{unchanged}: "
        f"{counted(data['sessions'], 'session')}, {counted(data['turns'], 'turn')}, "
        f"{counted(data['extracts'], 'candidate')}, {counted(data['kept'], 'memory', 'memories')} {would}."
    ]
    if data["turns"]:
        parts.append(_table("turns", {_TURNS[name]: number for name, number in data["standing"].items() if number}))
    if data["standing"].get("retracted") and not data["again"]:
        parts.append("`--forgotten` takes again what you took back.")
    if rows := _candidates(data, would):
        parts.append(_table("candidates", rows))
    if data["memories"]:
        parts.append(
            f"{would.capitalize()}:\n\n"
            + "\n".join(_memory_lines(data["memories"], PREVIEWED if data["dry_run"] else NAMED))
        )
    if data["problems"]:
        parts.append(f"Not taken:\n\n{problem_lines(result.problems)}")
    if data["import"] and (data["standing"].get("new") or data["kept"]):
        parts.append(f"`hardwon revert {data['import']}` takes it back.")
    return "\n\n".join(parts)


def _candidates(data: dict[str, Any], would: str) -> dict[str, int]:
    rows = {would: data["kept"], "known already": data["known"], "forgotten by you": data["forgotten"]}
    rows |= {f"not kept: {reason}": number for reason, number in data["refused"].items()}
    return {name: number for name, number in rows.items() if number}


def _table(what: str, rows: dict[str, int]) -> str:
    lines = [f"| {what} | |", "|---|---:|", *(f"| {escaped(name)} | {number:,} |" for name, number in rows.items())]
    return "\n".join(lines)


def _memory_lines(memories: Sequence[dict[str, Any]], most: int) -> list[str]:
    lines = [
        f"- {each['kind']} ({each['said_by']}, {escaped(each['project'] or 'no project')}): {escaped(each['title'])}"
        for each in memories[:most]
    ]
    more = len(memories) - most
    return [*lines, f"- and {more:,} more; `--json` has all of them"] if more > 0 else lines
