"""Commands that bring memories in and out."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

from hardwon.cli.actions import past_sessions
from hardwon.cli.paths import expanded
from hardwon.cli.views import escaped, problem_lines
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import Conflict, NotFound, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.whole_file import write_whole

PREVIEWED = 200
"""Memories that a dry run names one by one."""
_COUNTS = (
    *("known", "forgotten", "versions", "relations", "proposals", "decisions", "turns", "documents", "activity"),
    "vectors",
)

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem
    from hardwon.kernel.use_cases.importing import FileImport
    from hardwon.kernel.use_cases.moving.restored import Restored


def import_(
    home: Home,
    paths: Annotated[
        tuple[Path, ...], "files, or folders of files: JSON Lines, Markdown, an archive, transcripts"
    ] = (),
    *,
    from_: Annotated[
        str | None, "a coding agent: take its past sessions, those of the files or all that it keeps"
    ] = None,
    since: Annotated[str | None, "of past sessions: only what was said since this day, as 2026-11-30"] = None,
    project: Annotated[str | None, "the project of what names none, if not that of the file's folder"] = None,
    global_: Annotated[bool, "what names no project holds everywhere"] = False,
    forgotten: Annotated[bool, "take back what you forgot or reverted, too"] = False,
    dry_run: Annotated[bool, "say what would be taken, and change nothing"] = False,
    explain: Annotated[bool, "name each passage that was skipped, and not only how many for which reason"] = False,
) -> Report:
    """Take lessons from files, or from past sessions; say what was taken and what not, and why."""
    if from_ is not None:
        if global_:
            raise UsageError("Sessions belong to the project of their folder; give --project, or leave --global out.")
        return past_sessions.take(home, from_, tuple(map(expanded, paths)), since, project, forgotten, dry_run)
    if since is not None or not paths:
        raise UsageError("Name the files to import, or give --from and a coding agent to take its past sessions.")
    if not dry_run:
        home.create()
    data = _taken_from_files(home, paths, project, everywhere=global_, forgotten_too=forgotten, dry_run=dry_run)
    failed = any(file["failed"] for file in data["files"])
    return Report(data, _import_text(data, explain=explain), failed=failed)


def _taken_from_files(
    home: Home, paths: Sequence[Path], project: str | None, *, everywhere: bool, forgotten_too: bool, dry_run: bool
) -> dict[str, Any]:
    """Take the memories of files and of folders of them; return what came of each."""
    from hardwon.kernel.use_cases.embedding_process import start_embedding
    from hardwon.kernel.use_cases.importing import files_below, import_files
    from hardwon.kernel.use_cases.moving.reading import is_archive

    files = list(dict.fromkeys(file for path in paths for file in files_below(home, _existing(path))))
    archives = [path for path in files if is_archive(path)]
    plain = [path for path in files if path not in archives]
    projects = {path: _project(home, path, project, everywhere=everywhere, dry_run=dry_run) for path in plain}
    unplaced = () if everywhere else [path for path, key in projects.items() if key is None]
    restored = [(path, _restore(home, path, forgotten_too=forgotten_too, dry_run=dry_run)) for path in archives]
    reports = import_files(
        home, plain, project_of=projects, unplaced=unplaced, forgotten_too=forgotten_too, dry_run=dry_run
    )
    if not dry_run:
        start_embedding(home)
    return {
        "dry_run": dry_run,
        "taken": sum(len(each.taken) for each in reports) + sum(each.taken for _, each in restored),
        "files": [
            *(_file_json(each, projects[each.path]) for each in reports),
            *(_archive_json(path, each) for path, each in restored),
        ],
    }


def export(
    home: Home,
    path: Annotated[Path, "where to; - prints it"] = Path("-"),
    *,
    vectors: Annotated[bool, "the embeddings too, which else are made anew where it is imported"] = False,
    shared: Annotated[bool, "for other people: only memories that are shared, and the links among them"] = False,
    to_vault: Annotated[Path | None, "instead, write Markdown notes into this folder, to be read in Obsidian"] = None,
) -> Report:
    """Write everything to JSON Lines: memories and what they were, links, proposals, decisions, journal, activity."""
    from hardwon.kernel.use_cases.moving.exporting import archive_lines, shared_lines

    home.require()
    if shared and (vectors or to_vault is not None):
        raise UsageError("--shared is an archive of memories and their links; leave out --vectors and --to-vault.")
    if to_vault is not None:
        return _to_vault(home, path, expanded(to_vault))
    problems: list[Problem] = []
    lines = shared_lines(home, problems) if shared else archive_lines(home, problems, vectors=vectors)
    if str(path) == "-":
        written = list(lines)
        if problems:
            home.console.say(_left_out(problems))
        text = "".join(f"{line}\n" for line in written)
        return Report([json.loads(line) for line in written], text, failed=bool(problems), verbatim=True)
    target = expanded(path)
    if not target.parent.is_dir():
        raise NotFound(f"There is no folder {target.parent}; make it, or export to another place.")
    number = _write(target, lines)
    data = {"path": str(target), "records": number, "left_out": problems}
    told = f"Wrote {counted(number, 'record')} to `{target}`."
    if problems:
        told += f"\n\n{_left_out(problems)}"
    return Report(data, told, failed=bool(problems))


def _left_out(problems: Sequence[Problem]) -> str:
    return f"Left out, or as it was when it could be read:\n\n{problem_lines(problems)}"


def _to_vault(home: Home, path: Path, folder: Path) -> Report:
    from hardwon.kernel.use_cases.moving.vault import write_vault

    if str(path) != "-":
        raise UsageError("Give either a file for the archive, or --to-vault and a folder for notes.")
    number = write_vault(home, folder)
    return Report({"path": str(folder), "notes": number}, f"Wrote {counted(number, 'note')} into `{folder}`.")


def _existing(path: Path) -> Path:
    path = expanded(path)
    if not path.exists():
        raise NotFound(f"There is no {path}; give a file or a folder that exists.")
    return path


def _project(home: Home, path: Path, project: str | None, *, everywhere: bool, dry_run: bool) -> str | None:
    """Return the project of what names none in a file; a dry run may stand where there is no memory yet."""
    from hardwon.cli.actions.here import project_to_write
    from hardwon.kernel.identity import identify

    if project is not None or everywhere:
        return project_to_write(home, project, everywhere=everywhere) if home.exists else project
    identity = identify(path.resolve().parent)
    if identity is None:
        return None
    return identity.key if dry_run else project_to_write(home, None, everywhere=False, folder=path.resolve().parent)


def _restore(home: Home, path: Path, *, forgotten_too: bool, dry_run: bool) -> Restored:
    from hardwon.kernel.use_cases.moving.restoring import restore

    return restore(home, path, forgotten_too=forgotten_too, dry_run=dry_run)


def _file_json(report: FileImport, project: str | None) -> dict[str, Any]:
    return {
        "path": str(report.path),
        "reader": report.reader,
        "project": project,
        "taken": [
            {"id": entry.id, "external_id": entry.external_id, "title": entry.title, "line": entry.source.line}
            for entry in report.taken
        ],
        "count": len(report.taken),
        "known": report.known,
        "forgotten": report.forgotten,
        "skipped": report.skipped,
        "failed": report.failed,
        "redacted": report.redacted,
        "weak": report.weak,
    }


def _archive_json(path: Path, restored: Restored) -> dict[str, Any]:
    return {
        "path": str(path),
        "reader": "archive",
        "taken": [{"id": each.id, "external_id": each.external_id, "title": each.title} for each in restored.listed],
        "count": restored.taken,
        **{name: getattr(restored, name) for name in _COUNTS},
        "skipped": [],
        "failed": restored.failed,
        "redacted": restored.redacted,
        "weak": [],
    }


def _import_text(data: dict[str, Any], *, explain: bool) -> str:
    from hardwon.kernel.lesson_fields import form_of
    from hardwon.kernel.redacting.values import sentence

    would = "would be taken" if data["dry_run"] else "taken"
    lines = [f"{counted(data['taken'], 'memory', 'memories')} {would} from {counted(len(data['files']), 'file')}.\n"]
    for file in data["files"]:
        notes = [f"{file['count']:,} {would}"]
        notes += [f"{file['known']} known already"] if file["known"] else []
        notes += [f"{file['forgotten']} forgotten by you"] if file["forgotten"] else []
        notes += [f"{len(file['skipped'])} skipped"] if file["skipped"] else []
        notes += [f"{len(file['failed'])} not taken"] if file["failed"] else []
        notes += [f"{len(file['weak'])} without a field that cannot stand"] if file["weak"] else []
        where = f" (project `{file['project']}`)" if file.get("project") else ""
        lines.append(f"- `{file['path']}`{where}: {', '.join(notes)}")
    if secrets := [sort for file in data["files"] for sort in file["redacted"]]:
        lines.append(f"\n{sentence(secrets)}")
    failed = [problem for file in data["files"] for problem in file["failed"]]
    skipped = [problem for file in data["files"] for problem in file["skipped"]]
    if data["dry_run"]:
        lines += _previews(data["files"])
    if failed:
        lines.append(f"\nNot taken:\n\n{problem_lines(failed)}")
    if weak := [problem for file in data["files"] for problem in file["weak"]]:
        lines.append(f"\nLeft out of what was taken, to be mended with `hardwon drafts`:\n\n{problem_lines(weak)}")
        lines.append(f"\n{form_of('en')}")
    if skipped and explain:
        lines.append(f"\nSkipped, and why:\n\n{problem_lines(skipped)}")
    elif skipped:
        lines.append(f"\nSkipped {len(skipped):,} (`--explain` names each):\n\n{_reasons(skipped)}")
    return "\n".join(lines)


def _previews(files: Sequence[dict[str, Any]]) -> list[str]:
    """Return what would be taken, a line each with where it stands."""
    found = [
        f"- {escaped(file['path'])}{f':{line}' if (line := each.get('line')) else ''}: {escaped(each['title'])}"
        for file in files
        for each in file["taken"]
    ]
    left = sum(file["count"] for file in files) - min(len(found), PREVIEWED)
    more = [f"- and {left:,} more"] if left else []
    return ["\nWould be taken:\n", *found[:PREVIEWED], *more] if found else []


def _reasons(skipped: Sequence[Problem]) -> str:
    """Return how many were skipped for each reason, the commonest first."""
    from collections import Counter

    counts = Counter(each.what for each in skipped).most_common()
    return "\n".join(f"- {number:,}: {escaped(reason)}" for reason, number in counts)


def _write(target: Path, lines: Iterable[str]) -> int:
    """Write a file whole or not at all, readable by its owner alone; return the number of lines."""
    if target.exists() and not target.is_file():
        with _opened(target) as file:
            return sum(1 for line in lines if file.write(f"{line}\n"))
    number = 0

    def encoded() -> Iterator[bytes]:
        nonlocal number
        for line in lines:
            number += 1
            yield f"{line}\n".encode()

    write_whole(target, encoded(), durable=True)
    return number


def _opened(target: Path) -> TextIO:
    """Open a pipe or a device for writing. Raises Conflict for a pipe that nobody reads, which else were waited for."""
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise Conflict(f"Nobody reads the pipe {target}; start its reader first, or export to a file.") from None
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "w", encoding="utf-8")
