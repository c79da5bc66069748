"""Commands about what an agent was shown: why it was, and what you make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.views import escaped, link_json, memory_json, memory_line
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.hook.reading import AT_START

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.looking_back import SeenMemory, Showing

VIAS = {
    "direct": "found itself",
    "rule": "brought by one of its lessons",
    "instance": "brought by its rule",
    "supersedes": "in place of one that it supersedes",
    "mount": "found in a mounted folder",
    AT_START: "shown at the session's start",
}
"""How a memory came to be shown, in words."""
VERDICTS = ("useful", "wrong", "stop", "followed", "ignored")
LESSONS = "generalizes"
"""The edge from a rule to its lessons."""


def why(
    home: Home,
    session: Annotated[str, "the session's id or a unique beginning of it; without it, the latest"] = "",
) -> Report:
    """Say what was shown in a session: when, with which score, why, and what stands behind it."""
    from hardwon.kernel.use_cases.looking_back import look_back

    home.require()
    seen = look_back(home, session or None)
    shown = [_json(each) for each in seen.memories]
    data = {"session": seen.session, "harness": seen.harness, "shown": shown, "others": seen.others}
    place = f" of {escaped(seen.harness)}" if seen.harness else ""
    head = f"Shown in the session `{seen.session}`{place}: {counted(len(seen.memories), 'memory', 'memories')}."
    others = ", ".join(f"`{each}`" for each in seen.others)
    last = [f"Other sessions, the latest first: {others}."] if others else []
    return Report(data, "\n\n".join([head, *map(_text, seen.memories), *last]))


def feedback(
    home: Home,
    id: Annotated[str, "the memory's id or a unique part of it, as agents are shown it"],
    verdict: Annotated[str, "useful, wrong, stop (shown no more unasked; useful takes that back), followed or ignored"],
) -> Report:
    """Say what you make of a memory that was shown."""
    from hardwon.kernel.use_cases.feedback import Verdict, give_feedback, told
    from hardwon.kernel.use_cases.lookup import find_memory

    if verdict not in VERDICTS:
        raise UsageError(f"A verdict is {', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}, not “{verdict}”.")
    home.require()
    heard = give_feedback(home, find_memory(home, id), Verdict(verdict))
    data = {**memory_json(heard.memory), "verdict": verdict, "shown_unasked": heard.shown_unasked}
    return Report(data, told(heard))


def _json(seen: SeenMemory) -> dict[str, Any]:
    memory = seen.memory
    return {
        "id": seen.id,
        "kind": memory.kind if memory else None,
        "scope": str(memory.scope) if memory else None,
        "status": memory.status if memory else None,
        "title": memory.title if memory else None,
        "showings": [
            {
                "at": each.at,
                "via": each.via,
                "score": each.score,
                "parts": each.parts,
                "lexical": each.by_keywords_alone,
            }
            for each in seen.showings
        ],
        "links": [link_json(*link) for link in seen.links],
    }


def _text(seen: SeenMemory) -> str:
    head = memory_line(seen.memory) if seen.memory else f"- `{seen.id}` (forgotten since)"
    lines = [head, *(f"  - {_showing_text(each)}" for each in seen.showings)]
    lessons = [entry for relation, entry in seen.links if relation == LESSONS]
    if lessons:
        lines.append(f"  - {counted(len(lessons), 'lesson')} behind it:")
        lines += [f"    {memory_line(entry)}" for entry in lessons]
    lines += [f"  - {name} {memory_line(entry).removeprefix('- ')}" for name, entry in seen.links if name != LESSONS]
    return "\n".join(lines)


def _showing_text(showing: Showing) -> str:
    parts = ", ".join(f"{name} {value:.2f}" for name, value in showing.parts.items())
    how = VIAS.get(showing.via, showing.via)
    if showing.via != AT_START:  # Nobody asked: there were no keywords and there is no score.
        how += f"{', by keywords alone' if showing.by_keywords_alone else ''}, score {showing.score:.2f}"
    told = f"{showing.at:%Y-%m-%d %H:%M:%S}: {how}"
    return f"{told} ({parts})" if parts else told
