"""Commands among the hooks of a harness's JSON settings, `{"hooks": {EVENT: [{"hooks": [COMMAND, …]}, …]}}`, as text.

All harnesses with command hooks took this form over from Claude Code. Groups and commands that are not asked for keep
their bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hardwon_command_hooks.json_edit import put, replace, take
from hardwon_command_hooks.json_text import Member, Node, NotJson, parse

Hook = Mapping[str, Any]
"""One command as it stands in the settings: type, command, timeout."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a command stands."""

    event: str
    groups: Node
    group: Member
    hooks: Node
    hook: Member


def commands(text: str) -> list[tuple[str, Hook]]:
    """Return every command with its event, in order. Raises NotJson."""
    return [(place.event, place.hook.node.data()) for place in _places(text)]


def add(text: str, event: str, hook: Hook) -> str:
    """Return the text with a group of its own for a command. Raises NotJson."""
    root = parse(text)
    hooks, group = root.get("hooks"), {"hooks": [hook]}
    if hooks is None:
        return put(text, root, {event: [group]}, "hooks")
    groups = hooks.get(event)
    if groups is None:
        return put(text, hooks, [group], event)
    if groups.members is None or groups.is_object:
        raise NotJson(f"its hooks for {event} are no list")
    return put(text, groups, group)


def change(text: str, event: str, old: Hook, new: Hook) -> str:
    """Return the text with one command changed in its place."""
    found = next(place for place in _places(text) if place.event == event and place.hook.node.data() == old)
    return replace(text, found.hook.node, new)


def remove(text: str, unwanted: Callable[[Hook], bool]) -> str:
    """Return the text without some commands; a group that holds nothing else goes with its command."""
    while place := next((each for each in _places(text) if unwanted(each.hook.node.data())), None):
        if len(place.hooks.members or []) > 1:
            text = take(text, place.hooks, place.hook)
        else:
            text = take(text, place.groups, place.group)
    return text


def _elements(node: Node | None) -> list[Member]:
    """Return what stands in a list; nothing where it is none: settings of other kinds stand among the hooks."""
    return [] if node is None or node.is_object else node.members or []


def _places(text: str) -> Iterator[_Place]:
    """Walk the commands; whatever has another form is somebody else's and passed over where nobody needs it."""
    root = parse(text)
    hooks = root.get("hooks")
    if not root.is_object or (hooks and not hooks.is_object):
        raise NotJson("its hooks are no JSON object")
    for event in (hooks and hooks.members) or []:
        for group in _elements(event.node):
            inner = group.node.get("hooks") if group.node.is_object else None
            for hook in _elements(inner):
                if inner and hook.node.is_object:
                    yield _Place(event.key or "", event.node, group, inner, hook)
