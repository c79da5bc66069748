"""The fields of a lesson on their way in, whoever worded them: held to the same measure, and never a reason to lose it.

What is not as it should be is left out of the memory, marked, and told to whoever gave it, so that they can mend it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.lesson_fields import Mending, check_fields, marked
from hardwon.kernel.package_names import package_names
from hardwon.kernel.principle.project_names import is_everybodys
from hardwon.kernel.project_names import ProjectBook, visible_names
from hardwon.kernel.text import by_language, language_of
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


def names_of(book: ProjectBook, project: str | None, folder: Path | None = None) -> list[str]:
    """Return what a project is called: by its key and aliases, those of what it is a package of, and its packages'."""
    names = [name for name in visible_names(book, project) or () if name]
    packages = package_names(folder) if folder else ()
    return [*names, *(name for name in packages if not is_everybodys(name))]


def languages_for(home: Home, *texts: str) -> set[str]:
    """Return the languages that a principle may be in: those of what it was learned from, and the user's setting."""
    spoken = {language_of(part) for text in texts for part in by_language(text)}
    return spoken | ({home.settings.language} - {""})


def with_sound_fields(
    home: Home,
    entry: MemoryEntry,
    *,
    folder: Path | None = None,
    book: ProjectBook | None = None,
    any_language: bool = False,
) -> tuple[MemoryEntry, tuple[Mending, ...]]:
    """Return a memory with those fields of its lesson that can be kept, and what is to be mended of the others.

    `folder` is where it was learned, whose packages' names count too; `book` the projects, read if not given. In
    `any_language` a principle may be a translation: nobody is there to be asked for the lesson's own language.
    """
    if not entry.lesson:
        return entry, ()
    if book is None:
        book = load_projects(home) if home.exists else ProjectBook({})
    languages = () if any_language else languages_for(home, entry.content)
    checked = check_fields(entry.lesson, entry.content, names_of(book, entry.scope.project, folder), languages)
    if not checked.to_mend:
        return entry, ()
    changes = {"lesson": checked.lesson, "metadata": marked(entry.metadata, checked)}
    return entry.model_copy(update=changes), checked.to_mend
