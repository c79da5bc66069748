"""The resources, as Markdown for a person and for a model."""

from __future__ import annotations

from hardwon.kernel.filtering import means
from hardwon.kernel.injection import render
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.query import RECALLED
from hardwon.kernel.use_cases.explaining import explain
from hardwon.kernel.use_cases.standing import standing_now, standing_text
from hardwon_mcp.resources import MEMORY, REVIEW, RULES
from hardwon_mcp.work.context import Context
from hardwon_mcp.work.finding import find_shown
from hardwon_mcp.work.reviewing import list_waiting
from hardwon_mcp.work.telling import shown

LONGEST_RESOURCE = 60_000
"""Characters."""


def read(context: Context, uri: str) -> str | None:
    """Return a resource's text; None where there is no such resource. Raises NotFound for a memory that is not seen."""
    if uri == REVIEW:
        return list_waiting(context, {"limit": 50}).text
    if uri == RULES:
        context.require_recall()
        return _rules(context)
    if uri.startswith(MEMORY):
        context.require_recall()
        return _memory(context, uri.removeprefix(MEMORY))
    return None


def _rules(context: Context) -> str:
    found = context.visible.model_copy(update={"kinds": (Kind.RULE,), "statuses": RECALLED})
    rules = [shown(entry) for entry in context.home.storage.memories.scan(found)]
    own = [name for name in context.names if name]
    return render(rules, project=own, limit=LONGEST_RESOURCE).text or "No rule holds here yet."


def _memory(context: Context, id: str) -> str:
    """Return a memory whole, with its lesson's parts and why it stands."""
    from dataclasses import replace

    entry = find_shown(context, id)
    parts = [f"{name.capitalize()}: {value}" for name, value in entry.lesson.model_dump().items() if value]
    why = explain(context.home, entry).why
    now = standing_now(context.home, entry)
    standing = standing_text(replace(now, chain=tuple(each for each in now.chain if _is_seen(context, each.entry))))
    known = [f"Id: {entry.id}, revision {entry.revision}, {entry.status}", why, *([standing] if standing else [])]
    content = "\n".join([entry.content, "", *parts, *known])
    own = [name for name in context.names if name]
    return render([replace(shown(entry), content=content)], project=own, limit=LONGEST_RESOURCE).text


def _is_seen(context: Context, entry: MemoryEntry) -> bool:
    return means(context.visible, entry)
