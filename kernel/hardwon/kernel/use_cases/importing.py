"""Import: takes memories from files that people and programs have, and says of each file what it took and what not.

Readers come from plugins. What cannot be taken gets a sentence and stops nothing else; what is known already, or was
forgotten on purpose, is left as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ids import new_id
from hardwon.kernel.import_format import import_key, memory_of
from hardwon.kernel.lesson_fields import faults_text
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity, Problem, Skipped
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.forgotten import load_forgotten, take_back, traces
from hardwon.kernel.use_cases.lesson_wording import with_sound_fields
from hardwon.kernel.use_cases.projects import load_projects
from hardwon.kernel.use_cases.remembering import stand_again

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import LessonReader

PASSED_OVER = ("node_modules", "__pycache__", "site-packages")
"""Folders that hold other people's files; hidden ones are passed over too."""


@dataclass
class FileImport:
    """What came of one file."""

    path: Path
    reader: str | None = None
    taken: list[MemoryEntry] = field(default_factory=list)
    known: int = 0
    """Records that the memory has already, in these or in other words."""
    forgotten: int = 0
    """Records that the user forgot on purpose before."""
    skipped: list[Problem] = field(default_factory=list)
    """What was passed over on purpose, and why."""
    redacted: list[str] = field(default_factory=list)
    """The sorts of secrets that were left out of what was taken, as often as they were found."""
    failed: list[Problem] = field(default_factory=list)
    """What should have been taken and could not be."""
    weak: list[Problem] = field(default_factory=list)
    """Fields of lessons that were left out of memories that were taken, and what is to be mended of them."""


def import_files(
    home: Home,
    paths: Sequence[Path],
    *,
    project_of: Mapping[Path, str | None],
    unplaced: Collection[Path] = (),
    forgotten_too: bool = False,
    dry_run: bool = False,
) -> list[FileImport]:
    """Take the memories of files, in one change of the history.

    `project_of` says for each path which project holds where a record names none; where it says none either, the record
    holds everywhere, or is refused if the path is one of `unplaced`. `forgotten_too` takes back what the user forgot. A
    dry run changes nothing. Raises StoreError when nothing was kept.
    """
    reports: list[FileImport] = []
    collected: list[tuple[FileImport, MemoryEntry]] = []
    for path in paths:
        report = FileImport(path)
        reports.append(report)
        entries = list(_read(home, report, project_of.get(path), placed=path not in unplaced))
        if not (entries or report.skipped or report.failed):
            report.skipped.append(Skipped(where=str(path), what="The file is empty."))
        collected += [(report, entry) for entry in entries]
    _sort_out(home, collected, forgotten_too=forgotten_too)
    if not dry_run:
        _keep(home, reports, forgotten_too=forgotten_too)
    return reports


def files_below(home: Home, path: Path) -> Iterator[Path]:
    """Walk the files that an import of `path` means: itself, or everything in a folder that a reader accepts."""
    if not path.is_dir():
        yield path
        return
    for inside in sorted(path.iterdir()):
        if inside.name.startswith(".") or inside.name in PASSED_OVER:
            continue
        if inside.is_dir() and not inside.is_symlink():
            yield from files_below(home, inside)
        elif inside.is_file() and reader_for(home, inside):
            yield inside


def reader_for(home: Home, path: Path) -> str | None:
    """Return the name of the first reader that accepts a file."""
    readers: Mapping[str, LessonReader] = home.registry.all("readers")
    return next((name for name, reader in readers.items() if reader.accepts(path)), None)


def _read(home: Home, report: FileImport, project: str | None, *, placed: bool) -> Iterator[MemoryEntry]:
    """Walk the memories in a file; what cannot be taken goes into its report."""
    report.reader = reader_for(home, report.path)
    if report.reader is None:
        known = ", ".join(home.registry.all("readers")) or "none"
        report.failed.append(
            Problem(where=str(report.path), what=f"No reader takes such a file (there are: {known}); convert it first.")
        )
        return
    reader: LessonReader = home.registry.get("readers", report.reader)
    seen: dict[str, tuple[str, str]] = {}
    now = home.clock.now()
    book = load_projects(home) if home.exists else ProjectBook({})
    try:
        for number, each in enumerate(reader.read(report.path), start=1):
            if isinstance(each, Problem):
                (report.skipped if isinstance(each, Skipped) else report.failed).append(each)
                continue
            try:
                record, secrets = redacted(home.redactor, each)
                entry = memory_of(record, project=project, now=now)
                if not placed and not (each.get("project") or each.get("scope")):
                    raise InvalidInput("This names no project, and its file lies in none; give --project or --global.")
                _check_given_id(entry, seen, _where(report.path, each, number))
            except InvalidInput as error:
                report.failed.append(Problem(where=_where(report.path, each, number), what=str(error)))
            else:
                report.redacted += secrets
                yield _with_sound_fields(home, report, entry, book, _where(report.path, each, number))
    except (InvalidInput, OSError) as error:
        report.failed.append(Problem(where=str(report.path), what=str(error)))
    except Exception as error:  # a reader may be anybody's: its mistake stops no other file
        what = f"The reader {report.reader} broke ({type(error).__name__}: {error}); tell its author."
        report.failed.append(Problem(where=str(report.path), what=what))


def _with_sound_fields(
    home: Home, report: FileImport, entry: MemoryEntry, book: ProjectBook, where: str
) -> MemoryEntry:
    """Return a memory without those fields of its lesson that cannot stand, which the report tells."""
    entry, to_mend = with_sound_fields(home, entry, book=book, any_language=True)
    if to_mend:
        report.weak.append(Problem(where=where, what=faults_text(to_mend, language_of(entry.content)).strip()))
    return entry


def _where(path: Path, record: Mapping[str, Any], number: int) -> str:
    source = record.get("source")
    line = source.get("line") if isinstance(source, Mapping) else None
    return f"{path}:{line}" if line else f"{path} (record {number})"


def _check_given_id(entry: MemoryEntry, seen: dict[str, tuple[str, str]], where: str) -> None:
    """Refuse two texts under one given id in one file: one of them would be lost."""
    if entry.external_id is None or entry.idempotency_key is None:
        return
    content, first = seen.setdefault(entry.idempotency_key, (entry.content, where))
    if content != entry.content:
        raise InvalidInput(f"The id “{entry.external_id}” stands at {first} with another text; give one a new id.")


def _sort_out(home: Home, pairs: Sequence[tuple[FileImport, MemoryEntry]], *, forgotten_too: bool) -> None:
    """Put each memory where it belongs: taken, known or forgotten."""
    book = load_projects(home) if home.exists else ProjectBook({})
    keys = [_keys(entry, book) for _, entry in pairs]
    known = (
        _known_keys(home, [key for some in keys for key in some], archived_too=not forgotten_too)
        if home.exists
        else set()
    )
    forgotten = load_forgotten(home) if home.exists and not forgotten_too else set()
    for (report, entry), names in zip(pairs, keys, strict=True):
        if not known.isdisjoint(names):
            report.known += 1
        elif not forgotten.isdisjoint(traces(entry)):
            report.forgotten += 1
        else:
            report.taken.append(entry)
            known.update(names)


def _keys(entry: MemoryEntry, book: ProjectBook) -> tuple[str, ...]:
    """Return the keys that a memory may be known by: one under each name of its project."""
    project = entry.scope.project
    names = book.names(project) if project else ()
    if len(names) < 2:
        return (entry.idempotency_key or entry.id,)
    scopes = (entry.scope.model_copy(update={"project": name}) for name in dict.fromkeys((*names, project)))
    return tuple(import_key(entry.model_copy(update={"scope": scope})) for scope in scopes)


def _known_keys(home: Home, keys: Sequence[str], *, archived_too: bool) -> set[str]:
    wanted = (
        Filter(idempotency_keys=tuple(keys), statuses=None) if archived_too else Filter(idempotency_keys=tuple(keys))
    )
    return {entry.idempotency_key for entry in home.storage.memories.scan(wanted) if entry.idempotency_key}


def _keep(home: Home, reports: Sequence[FileImport], *, forgotten_too: bool) -> None:
    entries = [entry for report in reports for entry in report.taken]
    if not entries:
        return
    names = ", ".join(dict.fromkeys(report.path.name for report in reports if report.taken))
    with home.storage.operation(f"Import {len(entries)} memories from {names[:120]}"):
        kept = home.storage.memories.put(entries)
        if forgotten_too:
            take_back(home, entries)
            kept = [stand_again(home, entry) for entry in kept]
    new = {entry.id for entry in entries}
    # Another import may have taken the same a moment ago; what lay in the archive stands again under its own id.
    stands = {entry.id: each for entry, each in zip(entries, kept, strict=True) if each.id in new or forgotten_too}
    for report in reports:
        report.known += sum(entry.id not in stands for entry in report.taken)
        report.taken = [stands[entry.id] for entry in report.taken if entry.id in stands]
    _record(home, [report for report in reports if report.taken])


def _record(home: Home, reports: Sequence[FileImport]) -> None:
    """Tell the ledger of an import, so that it can be taken back as one."""
    now = home.clock.now()
    id = new_id(now)
    home.storage.ledger.append(
        Activity(
            kind="import",
            at=now,
            details={
                "import": id,
                "file": str(report.path),
                "taken": len(report.taken),
                "memories": [entry.id for entry in report.taken],
            },
        )
        for report in reports
    )
