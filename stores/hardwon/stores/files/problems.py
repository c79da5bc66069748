"""What is not as it should be in a home's files: the store's part of `doctor`. Finding it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.records import Problem
from hardwon.stores.files import upkeep
from hardwon.stores.files.atomic.disk import LARGEST
from hardwon.stores.files.git import git_index
from hardwon.stores.files.notes.layout import is_memory
from hardwon.stores.files.taking_in import deletions
from hardwon.stores.files.taking_in.freshness import is_available
from hardwon.stores.files.taking_in.looking import Difference, difference
from hardwon.stores.files.taking_in.spelling import colliding
from hardwon.stores.files.taking_in.taking import VANISHED

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def find_problems(workspace: Workspace) -> list[Problem]:
    """Return every problem, by place."""
    found = difference(workspace) if is_available(workspace) else Difference()
    vanished = len(found.gone) if workspace.index.meta(VANISHED) else 0
    differing = len(found.changed) + (0 if vanished else len(found.gone))
    return [
        *_whole(workspace, vanished),
        *_files(workspace),
        *_too_large(workspace, found.too_large),
        *_spelt_alike(workspace),
        *_links(workspace),
        *_deletions(workspace),
        *_disagreement(workspace, differing),
    ]


def known_only(workspace: Workspace) -> list[str]:
    """Return why an answer is what was known and perhaps not what is there, a sentence each."""
    if is_available(workspace):
        return []
    return [
        f"{workspace.memory} is not there or has lost its history: this is what was known, as `hardwon doctor` says."
    ]


def _whole(workspace: Workspace, vanished: int) -> Iterator[Problem]:
    if workspace.index.stands_in_because is not None:
        yield Problem(
            where=str(workspace.home),
            what=f"Nothing can be written there, and all is answered from a copy of the index in memory: "
            f"{workspace.index.stands_in_because}",
        )
    if broken := workspace.repository.broken:
        yield Problem(
            where=str(broken),
            what="It does not say which commit is the last; recall answers from the index, and the next write mends it"
            " or says how you do.",
        )
    elif not is_available(workspace):
        yield Problem(
            where=str(workspace.memory),
            what="The memory is not there or has lost its history; mount or restore it: recall answers from the index.",
        )
    if vanished:
        yield Problem(
            where=str(workspace.memory),
            what=f"{vanished} files vanished at once and their memories were kept; bring the files back, or run "
            "`hardwon reindex --follow-deletions` if you deleted them.",
        )
    if git_index.is_behind(workspace.home) and not upkeep.is_running(workspace.home):
        yield Problem(
            where=str(workspace.memory / ".git" / "index"),
            what="Another git held its index, so `git status` shows changes that are none; the next write mends it.",
        )
    if workspace.repository.is_merging:
        yield Problem(
            where=str(workspace.memory),
            what="A merge or rebase is under way; finish it with git, edits by hand are not committed until then.",
        )


def _files(workspace: Workspace) -> Iterator[Problem]:
    for row in workspace.index.rows("SELECT path, line, problem FROM files WHERE problem IS NOT NULL ORDER BY path"):
        place = workspace.path(row["path"])
        where = f"{place}:{row['line']}" if row["line"] else str(place)
        problem = row["problem"]
        yield Problem(where=where, what=f"{problem[0].upper()}{problem[1:]}; the file was left as it is.")


def _too_large(workspace: Workspace, paths: Sequence[str]) -> Iterator[Problem]:
    for path in sorted(filter(is_memory, paths)):
        what = f"It is larger than {LARGEST >> 20} MB and was not read; split it, what it said before stays."
        yield Problem(where=str(workspace.path(path)), what=what)


def _spelt_alike(workspace: Workspace) -> Iterator[Problem]:
    rows = workspace.index.rows("SELECT path FROM files WHERE size IS NOT NULL")
    for first, second in colliding(row[0] for row in rows):
        yield Problem(
            where=str(workspace.path(second)),
            what=f"It and {first} differ only in case or in how letters are composed; rename one of them, for a "
            "checkout on a Mac or on Windows would keep only one.",
        )


def _links(workspace: Workspace) -> Iterator[Problem]:
    sql = (
        "SELECT w.name, m.path FROM wikilinks w JOIN memories m ON m.id = w.source"
        " WHERE w.target IS NULL AND m.path IS NOT NULL ORDER BY m.path, w.name"
    )
    for row in workspace.index.rows(sql):
        yield Problem(
            where=str(workspace.path(row["path"])), what=f"It links to [[{row['name']}]], which is no memory; mend it."
        )
    sql = (
        "SELECT r.target, r.kind, m.path FROM relations r JOIN memories m ON m.id = r.source LEFT JOIN memories t"
        " ON t.id = r.target WHERE t.id IS NULL AND r.retracted_at IS NULL AND m.path IS NOT NULL ORDER BY m.path"
    )
    for row in workspace.index.rows(sql):
        yield Problem(
            where=str(workspace.path(row["path"])),
            what=f"It says {row['kind']} {row['target']}, which is no memory; restore that file or remove the line.",
        )


def _deletions(workspace: Workspace) -> Iterator[Problem]:
    for row in workspace.index.rows(
        "SELECT d.id, d.path FROM deletions d LEFT JOIN memories m ON m.id = d.id WHERE m.id IS NULL ORDER BY d.path"
    ):
        yield Problem(
            where=str(workspace.path(row["path"])),
            what=f"It was deleted by hand and the history lacks it; fetch the whole history or remove the line of"
            f" {row['id']} from {deletions.FILE}.",
        )


def _disagreement(workspace: Workspace, differing: int) -> Iterator[Problem]:
    if differing:
        yield Problem(
            where=str(workspace.index.path),
            what=f"{differing} files differ from the index; run `hardwon reindex`.",
        )
