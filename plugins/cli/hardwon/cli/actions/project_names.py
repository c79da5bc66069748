"""Commands about projects and their names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hardwon.cli.views import memory_lines
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import NotFound, UsageError
from hardwon.kernel.home import Home


def list_projects(home: Home) -> Report:
    """List the projects that the memory knows, with their other names."""
    from hardwon.cli.actions.here import project_to_read
    from hardwon.kernel.use_cases.projects import known_projects

    home.require()
    _, book = project_to_read(home, None)
    counts = known_projects(home, book)
    keys = sorted({*counts, *(book.canonical(key) or key for key in book.aliases.values())})
    data = [{"project": key, "names": book.names(key)[1:], "memories": counts.get(key, 0)} for key in keys]
    lines = []
    for key in keys:
        others = ", ".join(f"`{name}`" for name in book.names(key)[1:])
        lines.append(
            f"- `{key}`: {counted(counts.get(key, 0), 'memory', 'memories')}" + (f", also {others}" if others else "")
        )
    return Report(data, "\n".join(lines) or "No project yet.")


def show_project(
    home: Home,
    name: Annotated[str | None, "any name of the project; the folder you stand in if left out"] = None,
) -> Report:
    """Show one project: its key, what gave it, its other names and its newest memories."""
    from hardwon.cli.actions.here import project_to_read
    from hardwon.kernel.identity import identify
    from hardwon.kernel.query import Filter

    home.require()
    given, book = project_to_read(home, name)
    if given is None:
        raise UsageError("This folder is no project; name one, as `hardwon projects list` shows them.")
    identity = identify(Path.cwd()) if name is None else None
    names = book.names(given)
    entries = list(home.storage.memories.scan(Filter(projects=names)))
    data = {
        "project": names[0],
        "names": names[1:],
        "named_by": identity.named_by if identity else None,
        "root": identity.root if identity else None,
        "memories": len(entries),
    }
    text = f"# {names[0]}\n\n"
    if identity:
        text += f"This folder's project, named by {identity.named_by}, begins at `{identity.root}`.\n\n"
    if names[1:]:
        text += f"Also called {', '.join(f'`{each}`' for each in names[1:])}.\n\n"
    newest = memory_lines(reversed(entries[-10:]))
    return Report(data, f"{text}{counted(len(entries), 'memory', 'memories')}, the newest first:\n\n{newest}")


def alias_project(
    home: Home,
    name: Annotated[str, "the other name: an old remote, an old path, a short name"],
    project: Annotated[str | None, "the project's key; the folder you stand in if left out"] = None,
    *,
    remove: Annotated[bool, "take the other name away again"] = False,
) -> Report:
    """Let another name mean a project, so that its memories are the project's own."""
    from hardwon.cli.actions.here import project_to_write
    from hardwon.kernel.project_names import ProjectBook
    from hardwon.kernel.use_cases.projects import load_projects, save_projects

    home.require()
    book = load_projects(home)
    if remove:
        if name not in book.aliases:
            raise NotFound(f"“{name}” is no other name of a project; see `hardwon projects list`.")
        changed = ProjectBook({other: key for other, key in book.aliases.items() if other != name})
        why = f"“{name}” is a project of its own again"
    else:
        key = project_to_write(home, project, everywhere=False)
        changed = book.with_alias(name, str(key))
        why = f"“{name}” is another name of {key}"
    with home.storage.operation(why):
        save_projects(home, changed)
    return Report({"name": name, "project": changed.canonical(name), "removed": remove}, f"{why}.")


def merge_projects(
    home: Home,
    project: Annotated[str, "the project that ends as a project of its own"],
    into: Annotated[str, "the project that it becomes part of"],
) -> Report:
    """Make one project of two that the memory knows; `projects alias --remove` undoes it."""
    from hardwon.kernel.use_cases.projects import known_projects, load_projects, save_projects

    home.require()
    book = load_projects(home)
    counts = known_projects(home, book)
    for each in (project, into):
        if book.canonical(each) not in counts:
            raise NotFound(f"No memory belongs to a project “{each}”; see `hardwon projects list`.")
    changed = book.with_alias(str(book.canonical(project)), str(book.canonical(into)))
    with home.storage.operation(f"Merge project {project} into {into}"):
        save_projects(home, changed)
    moved = counts[str(book.canonical(project))]
    key = changed.canonical(into)
    text = f"`{project}` is now a name of `{key}`: {counted(moved, 'memory', 'memories')} more count as its own."
    return Report({"project": key, "names": changed.names(str(key))[1:], "memories": moved}, text)
