"""Names and places: where a memory's file lies, and what its place says about it.

    digest/<project>/<topic…>/<slug>-<id>.md      memories; `_global` for those without a project
    rules/<slug>-<id>.md                          rules
    archive/digest/…, archive/rules/…             what is out of recall, under the place it had
    history/<id>.jsonl                            former states of a memory that another store knew

A name is safe on every system: letters and digits of any script (lower case, NFC), `-`, `_`; no name that Windows
reserves, no dot or space at an end, at most 120 bytes. What a folder's name cannot spell of a topic, the front matter
does. A folder that holds 500 files is full: further files go to the sub-folder `_x` named after the last character of
their id, then `_x/_y` after the last but one. Names that begin with `_` are never topics.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import MAXIMUM_TOPIC_LEVELS, Kind, Status
from hardwon.stores.files.notes.copies import LEFTOVER_BEGINNINGS, LEFTOVER_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardwon.kernel.memory import MemoryEntry

DIGEST = "digest"
RULES = "rules"
ARCHIVE = "archive"
HISTORY = "history"
GLOBAL = "_global"
FULL_FOLDER = 500
LONGEST_NAME = 120
"""Bytes."""
_LONGEST_PART = 60

_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
_FORBIDDEN = re.compile(r'[<>:"\\|?*\x00-\x1f\x7f]')
_SAFE_ID = re.compile(r"[0-9a-z][0-9a-z-]{0,39}")
_NO_NOTE = ("_", *LEFTOVER_BEGINNINGS)
_RUNS_OF_DASHES = re.compile(r"-{2,}")


@dataclass(frozen=True)
class Place:
    """What the path of a file says of the memory in it."""

    path: str
    archived: bool = False
    is_rule: bool = False
    project: str | None = None
    folders: tuple[str, ...] = ()
    """The folders that spell the home topic."""

    @property
    def topic(self) -> str:
        """Return the home topic as the folders spell it; empty for none."""
        return ".".join(self.folders[:MAXIMUM_TOPIC_LEVELS])

    def is_folder_of(self, topic: str) -> bool:
        """Tell whether a memory of that topic belongs into this folder."""
        return self.folders == topic_folders(topic)


def is_memory(path: str) -> bool:
    """Tell whether a file at this path below memory/ is a memory."""
    parts = path.split("/")
    return (
        len(parts) > 1
        and parts[0] in (DIGEST, RULES, ARCHIVE)
        and parts[-1].lower().endswith(".md")
        and not parts[-1].startswith(_NO_NOTE)
    )


def place_of(path: str, project_of: Callable[[str], str | None] | None = None) -> Place:
    """Return what a memory's path says; `project_of` tells the project of a folder better than its name does."""
    parts = (path if path.isascii() else unicodedata.normalize("NFC", path)).split("/")[:-1]
    archived = parts[:1] == [ARCHIVE]
    parts = parts[1:] if archived else parts
    branch = parts[0] if parts and parts[0] in (DIGEST, RULES) else None
    is_rule = branch == RULES
    rest = parts[1:] if branch else []
    project = None
    if branch == DIGEST and rest:
        project = (project_of or project_of_folder)(rest.pop(0))
    folders = tuple(name for name in rest if not name.startswith("_"))
    return Place(path, archived, is_rule or branch is None, project, folders)


def project_of_folder(folder: str) -> str | None:
    """Return the project that a folder's name spells; None for the folder of those without one."""
    return None if folder == GLOBAL else folder.replace("--", "/")


def path_for(entry: MemoryEntry, is_full: Callable[[str], bool]) -> str:
    """Return where a new file for this memory goes; `is_full` tells of a folder that takes no more files."""
    root = f"{ARCHIVE}/" if entry.status is Status.ARCHIVED else ""
    if entry.kind is Kind.RULE:
        folder = f"{root}{RULES}"
    else:
        project = project_folder(entry.scope.project)
        folder = "/".join((f"{root}{DIGEST}", project, *topic_folders(entry.home_topic)))
    folder = folder_with_room(folder, entry.id, is_full)
    return f"{folder}/{slug(entry.title)}-{id_in_name(entry.id)}.md"


def folder_with_room(folder: str, id: str, is_full: Callable[[str], bool]) -> str:
    """Return the folder, or the one below it that takes the file of an id where it is full."""
    for character in reversed(id_in_name(id)):
        if not is_full(folder):
            break
        folder = f"{folder}/_{character}"
    return folder


def id_in_name(id: str) -> str:
    """Return the id as part of a file's name: itself, or its fingerprint where it is not safe there."""
    return id if _SAFE_ID.fullmatch(id) and not id.endswith("-") else fingerprint(id, length=18)


def is_named_after(id: str, path: str) -> bool:
    """Tell whether a file has the name that hardwon gives to the memory of this id; a copy's ends otherwise."""
    return path.lower().endswith(f"-{id_in_name(id)}.md")


@lru_cache(maxsize=4096)
def slug(title: str) -> str:
    """Return a title as a readable part of a file's name; `memory` where it has no letter or digit."""
    return _cut(_words(title), _LONGEST_PART) or "memory"


@lru_cache(maxsize=1024)
def project_folder(project: str | None) -> str:
    """Return the folder of a project: its key with `--` for `/`, and a fingerprint where that does not spell it."""
    if project is None:
        return GLOBAL
    kept = "".join(each if each in "._-" or _is_letter(each) else "-" for each in project.lower().replace("/", "--"))
    name = _cut(unicodedata.normalize("NFC", kept).strip("._- "), _LONGEST_PART)
    if name.replace("--", "/") == project and not _RESERVED.fullmatch(name):
        return name
    return f"{_RESERVED.sub('project', name) or 'project'}~{fingerprint(project, length=6)}"


@lru_cache(maxsize=4096)
def topic_folders(topic: str) -> tuple[str, ...]:
    """Return the folders of a topic, one a level."""
    return tuple(_level(level) for level in topic.split(".")) if topic else ()


def _level(level: str) -> str:
    name = _words(level, also="_").lstrip("_")
    if len(name.encode()) > _LONGEST_PART:
        name = f"{_cut(name, _LONGEST_PART - 7)}-{fingerprint(level, length=6)}"
    if not name:
        return f"topic-{fingerprint(level, length=6)}"
    return f"{name}-topic" if _RESERVED.fullmatch(name) else name


def _is_letter(character: str) -> bool:
    """Letters, digits and the marks that some scripts write their vowels with."""
    return character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")


def _words(text: str, also: str = "") -> str:
    text = unicodedata.normalize("NFC", text).lower()
    if text.isascii():
        kept = re.sub(rf"[^a-z0-9{also}]", "-", text)
    else:
        kept = "".join(each if each in also or _is_letter(each) else "-" for each in text)
    return _RUNS_OF_DASHES.sub("-", unicodedata.normalize("NFC", kept)).strip("-")


def _cut(text: str, longest: int) -> str:
    """Shorten to a number of bytes, at a word's end if one is near, never inside a character."""
    data = text.encode()
    if len(data) <= longest:
        return text
    shorter = data[:longest].decode(errors="ignore")
    head, dash, tail = shorter.rpartition("-")
    return (head if dash and len(tail) < 16 else shorter).rstrip("-._ ")


def checked_name(name: str) -> str:
    """Return the name of a document, in POSIX form. Raises InvalidInput for one that is not safe everywhere."""
    parts = name.split("/")
    for part in parts:
        if (
            part in ("", ".", "..")
            or part.startswith(".")
            or part.endswith((".", " ", *LEFTOVER_ENDINGS))
            or _FORBIDDEN.search(part)
            or _RESERVED.fullmatch(part)
            or len(part.encode("utf-8", "surrogatepass")) > LONGEST_NAME
        ):
            raise InvalidInput(f"“{name[:80]}” is no safe name for a document; use letters, digits, - and _.")
    if is_memory(name) or parts[0] == HISTORY:
        raise InvalidInput(f"“{name[:80]}” is a memory's place; put memories by the store, not as documents.")
    return name
