"""`_topic.md` in each topic's folder: the topic in short, with counts, times, and links to what is newest (generated).

Pages are written when there is time, never by the command that keeps a memory: those of topics in which a memory came,
went or changed since the last time, as the history tells. The same memories give the same bytes. What a person writes
above or below the generated part stays; a page without that part is theirs alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted
from hardwon.stores.files.front_door import title_of
from hardwon.stores.files.notes.layout import ARCHIVE, DIGEST, is_memory
from hardwon.stores.files.notes.links import label

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace

NAME = "_topic.md"
WRITTEN_AT = "topic_pages"
"""The key under which the index remembers the last commit that the pages follow."""
START = "<!-- hardwon:topic (generated; what is changed here is written over, what stands around it is yours) -->"
END = "<!-- /hardwon:topic -->"
_BLOCK = re.compile(r"<!-- hardwon:topic[^\n]*-->\n(?:(?!<!-- /hardwon:topic).)*?<!-- /hardwon:topic -->\n?", re.DOTALL)
_NEWEST, _RULES = 10, 10
_STANDING = "path >= ?1 AND path < ?2 AND status != 'archived' AND kind != 'rule'"
_NUMBERS = (
    "SELECT count(*), min(coalesce(valid_at, asserted_at)), max(coalesce(valid_at, asserted_at)), min(topic)"  # noqa: S608
    f" FROM memories WHERE {_STANDING}"
)
_TOPICS_BELOW = (
    "SELECT substr(path, ?3, instr(substr(path, ?3), '/') - 1) AS name, count(*) FROM memories"  # noqa: S608
    f" WHERE {_STANDING} AND instr(substr(path, ?3), '/') > 0 GROUP BY name ORDER BY name"
)
_NEWEST_ONES = (
    "SELECT path, substr(content, 1, 400), kind, coalesce(valid_at, asserted_at) AS since FROM memories"  # noqa: S608
    f" WHERE {_STANDING} ORDER BY since DESC, id DESC LIMIT {_NEWEST}"
)
_RULES_OF = (
    "SELECT DISTINCT rule.path, substr(rule.content, 1, 400), rule.id FROM memories AS lesson"  # noqa: S608
    " JOIN relations ON relations.target = lesson.id AND relations.kind = 'generalizes'"
    " AND relations.retracted_at IS NULL JOIN memories AS rule ON rule.id = relations.source"
    " WHERE lesson.path >= ?1 AND lesson.path < ?2 AND rule.status != 'archived' AND rule.path IS NOT NULL"
    f" ORDER BY rule.id LIMIT {_RULES}"
)


def changed_folders(workspace: Workspace, head: str) -> list[str]:
    """Return the topics' folders in which something changed up to this commit; all where nothing was written yet."""
    since = workspace.index.meta(WRITTEN_AT)
    if since and workspace.repository.holds(since):
        paths: Iterable[str] = workspace.repository.changes(head, since)
    else:
        paths = workspace.repository.files(head)
    return sorted({folder for path in paths for folder in _folders_above(path)})


def _folders_above(path: str) -> Iterator[str]:
    """Walk the folders of the topics that a memory's file lies below, in use also where it is archived now."""
    if not is_memory(path):
        return
    parts = path.removeprefix(f"{ARCHIVE}/").split("/")[:-1]
    named = [part for part in parts if not part.startswith("_")] if parts[0] == DIGEST else []
    if parts[:2] == [DIGEST, "_global"]:
        named.insert(1, "_global")
    for length in range(3, len(named) + 1):
        yield "/".join(named[:length])


def write_pages(workspace: Workspace, folders: Iterable[str]) -> None:
    """Plan to write the pages of these folders as the index stands now, where that changes them."""
    for folder in folders:
        path = f"{folder}/{NAME}"
        workspace.before_touching(path)
        data = workspace.content(path)
        before = None if data is None else data.decode("utf-8", "surrogateescape")
        after = page(before, render(workspace, folder))
        if after is None and before is not None:
            workspace.remove(path)
        elif after is not None and after != before:
            workspace.write(path, after.encode("utf-8", "surrogateescape"))


def page(before: str | None, block: str | None) -> str | None:
    """Return a page with its generated part anew, None for no page; one that a person made their own stays."""
    if before is None:
        return block
    if not _BLOCK.search(before):
        return before
    after = _BLOCK.sub(lambda _: block or "", before, count=1)
    return after if after.strip() else None


def render(workspace: Workspace, folder: str) -> str | None:
    """Return the generated part of a folder's page; None where no memory lies there."""
    within = (f"{folder}/", f"{folder}0")
    number, first, newest, topic = workspace.index.rows(_NUMBERS, within)[0]
    if not number:
        return None
    levels = len(folder.split("/")) - 2
    name = ".".join(topic.split(".")[:levels]) if topic else ".".join(folder.split("/")[2:])
    lines = [
        START,
        f"# {name}",
        "",
        f"{counted(number, 'memory', 'memories')}, the first of {_day(first)}, the newest of {_day(newest)}.",
        *_section("Below", _below(workspace, folder, within)),
        *_section("Newest", _newest(workspace, within)),
        *_section("Rules", _rules(workspace, within)),
        END,
        "",
    ]
    return "\n".join(lines)


def _day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _below(workspace: Workspace, folder: str, within: tuple[str, str]) -> list[str]:
    """Return a line for each topic below, with how many memories lie there."""
    rows = workspace.index.rows(_TOPICS_BELOW, (*within, len(folder) + 2))
    return [f"- [{row[0]}](<{row[0]}/{NAME}>) ({row[1]})" for row in rows if not row[0].startswith("_")]


def _newest(workspace: Workspace, within: tuple[str, str]) -> list[str]:
    rows = workspace.index.rows(_NEWEST_ONES, within)
    return [f"- {_link(row[0], row[1])} ({row[2]}, {_day(row[3])})" for row in rows]


def _rules(workspace: Workspace, within: tuple[str, str]) -> list[str]:
    """Return the rules that stand on memories of the folder."""
    return [f"- {_link(row[0], row[1])}" for row in workspace.index.rows(_RULES_OF, within)]


def _link(path: str, content: str) -> str:
    return f"[[{PurePosixPath(path).stem}|{label(title_of(content))}]]"
