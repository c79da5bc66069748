"""Reads what a project is known by from its git directory: where that is, the URLs of its remotes, the branch.

The format is that of git-config(1): sections, subsections in quotes, `name = value`, comments, continued lines. What
cannot be read names nothing, since somebody's half-written config must not stop a recall.
"""

from __future__ import annotations

import os
import re

from hardwon.kernel.regular_file import open_regular, read_regular

LONGEST_POINTER = 4096
"""Bytes of a `.git` file that are read: it holds one path."""
_BRANCH = "ref: refs/heads/"
_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)")
_CONTINUED = re.compile(r"\\\r?\n")


def common_directory(git: str) -> str | None:
    """Return the git directory that `git` (a folder, or a file that points to one) shares with its worktrees."""
    if os.path.isfile(git):
        pointed = _first_line(git)
        if not pointed.startswith("gitdir:"):
            return None
        git = _within(os.path.dirname(git), pointed.removeprefix("gitdir:").strip())
        common = _first_line(os.path.join(git, "commondir"))
        git = _within(git, common) if common else git
    found = any(os.path.isfile(os.path.join(git, name)) for name in ("HEAD", "config"))
    return os.path.realpath(git) if found else None


def current_branch(folder: str) -> str | None:
    """Return the branch that is checked out where a folder lies; None outside of git and on no branch."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    git = os.path.join(folder, ".git")
    if os.path.isfile(git):
        git = _within(folder, _first_line(git).removeprefix("gitdir:").strip())
    head = _first_line(os.path.join(git, "HEAD"))
    return head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else None


def remote_urls(config: str) -> dict[str, str]:
    """Return the first URL of each remote, by name, in the order of the file."""
    urls: dict[str, str] = {}
    section = ""
    remote: str | None = None
    for line in _logical_lines(config):
        if head := _SECTION.match(line):
            section, remote = head[1].lower(), head[2]
            line = line[head.end() :].strip()
        setting = _SETTING.match(line)
        if setting and section == "remote" and remote and setting[1].lower() == "url":
            value = _value(setting[2])
            if value:
                urls.setdefault(remote, value)
    return urls


def _within(folder: str, path: str) -> str:
    return os.path.realpath(os.path.join(folder, path))


def _first_line(path: str) -> str:
    try:
        with open_regular(path) as file:
            return file.read(LONGEST_POINTER).decode("utf-8", "surrogateescape").split("\n", 1)[0].strip()
    except OSError:
        return ""


def _logical_lines(path: str) -> list[str]:
    try:
        text = read_regular(path).decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError:
        return []
    return [line.strip() for line in _CONTINUED.sub("", text).splitlines()]


def _value(text: str) -> str:
    """Return a value without its quotes and without the comment behind it."""
    plain = []
    quoted = False
    characters = iter(text)
    for character in characters:
        if character == "\\":
            plain.append(next(characters, ""))
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            plain.append(character)
    return "".join(plain).strip()
