"""memory_search: what the memory knows for a task, as this project sees it."""

from __future__ import annotations

from typing import Any

from hardwon.kernel.injection import render
from hardwon.kernel.memory import Status
from hardwon.kernel.query import RECALLED, Filter, Query
from hardwon.kernel.scope import Context as Reader
from hardwon.kernel.text import clean
from hardwon.kernel.use_cases.recall import recall
from hardwon_mcp.work.context import Context, Told
from hardwon_mcp.work.telling import framed, memory_data, shown


def search(context: Context, arguments: dict[str, Any]) -> Told:
    """Answer a question, and record what was shown."""
    context.require_recall()
    settings = context.home.settings.recall
    query = Query(
        text=clean(arguments["query"]),
        context=Reader(project=context.project),
        filter=Filter(projects=context.names, statuses=RECALLED),
        limit=arguments.get("limit", settings.limit),
        budget=settings.budget,
    )
    include = tuple(map(Status, arguments.get("include", ())))
    answer = recall(context.home, query, include=include, session=context.session)
    memories = [
        memory_data(hit.entry) | {"score": round(hit.score, 4), "via": hit.via} | ({"of": hit.of} if hit.of else {})
        for hit in answer.hits
    ]
    data = {"project": context.project, "memories": memories, "refused": answer.refused, "notes": list(answer.notes)}
    if not memories:
        return Told(data, "\n".join([f"Nothing is shown. {answer.refused}", *answer.notes]))
    own = [name for name in context.names if name]
    block = render([shown(hit.entry, hit.of) for hit in answer.hits], project=own)
    return Told(framed(data), "\n".join([block.text, *answer.notes]))
