"""A call from its arguments to its answer: checked, given its surroundings, done, and told."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from hardwon.kernel.errors import HardwonError
from hardwon.kernel.ids import new_id
from hardwon_mcp.caller import Caller
from hardwon_mcp.definitions import TOOLS, offered_tools
from hardwon_mcp.messages import INVALID_PARAMS, RESOURCE_NOT_FOUND, Refusal
from hardwon_mcp.resources import MARKDOWN
from hardwon_mcp.schemas import problem_with
from hardwon_mcp.work.context import Context, Told, context_of
from hardwon_mcp.work.open_home import OpenHome

Tool = Callable[[Context, dict[str, Any]], Told]
CREATES = "memory_save"
"""The one tool that makes a home where there is none, as `hardwon remember` does."""


def tools() -> dict[str, Tool]:
    """Return what each tool does."""
    from hardwon_mcp.work.drafting import draft, take
    from hardwon_mcp.work.judging import judge
    from hardwon_mcp.work.proposing import propose
    from hardwon_mcp.work.reviewing import decide, list_waiting, show
    from hardwon_mcp.work.saving import save
    from hardwon_mcp.work.searching import search

    return {
        "memory_search": search,
        "memory_save": save,
        "memory_rule_propose": propose,
        "memory_review_list": list_waiting,
        "memory_review_show": show,
        "memory_review_decide": decide,
        "memory_draft_next": take,
        "memory_draft_save": draft,
        "memory_feedback": judge,
    }


class Calls:
    """Does the calls of one client."""

    def __init__(self, home: str) -> None:
        self._path = home
        self._home = OpenHome(home)
        self._session = f"mcp-{new_id(datetime.now(UTC))}"

    def call(self, caller: Caller, folder: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a tool. Raises Refusal where there is no such tool."""
        name = params.get("name")
        definition = TOOLS.get(name) if isinstance(name, str) else None
        if definition is None:
            there = ", ".join(tool["name"] for tool in offered_tools(self._path))
            raise Refusal(INVALID_PARAMS, f"There is no tool “{str(name)[:60]}”; there are {there}.")
        given = params.get("arguments")
        arguments = {} if given is None else given
        if problem := problem_with(definition["inputSchema"], arguments):
            return _failed(problem)
        present = {name: value for name, value in arguments.items() if value is not None}
        try:
            home = self._home.get(create=definition["name"] == CREATES)
            told = tools()[definition["name"]](context_of(home, caller, folder, self._session), present)
        except (HardwonError, OSError) as error:
            return _failed(_sentence(error))
        return {
            "content": [{"type": "text", "text": told.text}],
            "structuredContent": json.loads(json.dumps(told.data, ensure_ascii=False, default=str)),
        }

    def read(self, caller: Caller, folder: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return a resource. Raises Refusal where there is none."""
        from hardwon_mcp.work.reading import read

        uri = params.get("uri")
        if not isinstance(uri, str):
            raise Refusal(INVALID_PARAMS, "“uri” is missing; give the address of a resource.")
        try:
            text = read(context_of(self._home.get(), caller, folder, self._session), uri)
        except (HardwonError, OSError) as error:
            raise Refusal(RESOURCE_NOT_FOUND, _sentence(error), {"uri": uri}) from None
        if text is None:
            raise Refusal(RESOURCE_NOT_FOUND, f"There is no resource {uri[:200]}; list the resources.", {"uri": uri})
        return {"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text}]}

    def close(self) -> None:
        """Close what was opened."""
        self._home.close()


def _sentence(error: HardwonError | OSError) -> str:
    if isinstance(error, HardwonError):
        return str(error)
    return f"The system refused: {error.strerror or error}; tell the user, and try again once that is mended."


def _failed(sentence: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": sentence}], "isError": True}
