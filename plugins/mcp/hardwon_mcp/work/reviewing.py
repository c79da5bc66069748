"""memory_review_list, _show and _decide: the queue as the review commands give it, for a session in one project.

Lessons of other projects are named and not quoted: nothing of another project is said here before the user decides.
Who allows agents to decide lets them read what they decide on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.injection import END, MARKER, harmless
from hardwon_mcp.permissions import may_decide
from hardwon_mcp.work.context import Context, Told
from hardwon_mcp.work.telling import framed, shortened

MOST_LISTED = 20
KINDS = "What accepting does hangs on the kind: only a new-rule is added; a retire takes the rule away."
WITHHELD = "(a lesson of another project; `hardwon review show` quotes it to the user)"
WITHHELD_CHANGE = "(it is about what another project noted; `hardwon review show` quotes it to the user)"
WITHHELD_WHY = "(an agent gave its reasons in another project; `hardwon review show` quotes them to the user)"


def _run(context: Context, name: str, *arguments: Any, **options: Any) -> Report:
    """Run a command of the review queue, whichever part of hardwon brings it."""
    report: Report = context.home.registry.get("actions", f"review {name}").run(context.home, *arguments, **options)
    return report


def list_waiting(context: Context, arguments: dict[str, Any]) -> Told:
    """List what waits, best first."""
    waiting = _run(context, "list").data
    shown = [_summary(context, each) for each in waiting[: arguments.get("limit", MOST_LISTED)]]
    lines = [
        f"- {each['id']} {each['kind']}: {each['rule'] or '(no wording yet)'} (confidence {each['confidence']:.2f}, "
        f"{each['lessons']} lessons of {each['projects']} projects, suggested: {each['suggested_action']})"
        for each in shown
    ]
    head = f"{counted(len(waiting), 'proposal')} for the user to decide on. {KINDS}"
    text = _block([head, *lines]) if lines else "Nothing waits."
    return Told(framed({"waiting": len(waiting), "proposals": shown}), text)


def _summary(context: Context, proposal: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": proposal["id"],
        "kind": str(proposal["kind"]),
        "rule": WITHHELD_CHANGE if _changes_elsewhere(context, proposal) else harmless(proposal["rule"]),
        "worded_by": harmless(proposal["worded_by"] or ""),
        "confidence": proposal["confidence"],
        "suggested_action": str(proposal["suggested_action"]),
        "lessons": len(proposal["instances"]),
        "against": len(proposal["against"]),
        "projects": len(proposal["projects"]),
    }


def _changes_elsewhere(context: Context, proposal: Mapping[str, Any]) -> bool:
    """Tell whether it would change what is not seen from here, and so quotes it: a conflict is told in its memories."""
    return any(each["text"] == WITHHELD for each in _quoted(context, proposal["targets"]))


def show(context: Context, arguments: dict[str, Any]) -> Told:
    """Show one proposal whole."""
    proposal = _run(context, "show", arguments["id"]).data
    instances = _quoted(context, proposal["instances"])
    data = {
        **_summary(context, proposal),
        "state": str(proposal["state"]),
        "translations": {code: harmless(words) for code, words in proposal["translations"].items()},
        "rationale": shortened(_why(context, proposal, instances), proposal["id"]),
        "confidence_parts": proposal["confidence_parts"],
        "instances": instances,
        "contradictions": _quoted(context, proposal["against"]),
        "targets": _quoted(context, proposal["targets"]),
        "parts": [harmless(each["rule"]) for each in proposal["parts"]],
    }
    parts = ", ".join(f"{name} {value:.2f}" for name, value in data["confidence_parts"].items())
    lines = [
        f"Proposal {data['id']} ({data['kind']}, {data['state']}): {data['rule'] or '(no wording yet)'}",
        *([f"Worded by {data['worded_by']}."] if data["worded_by"] else []),
        *(f"{code}: {words}" for code, words in data["translations"].items()),
        *(f"Would change: [{each['id']}] {each['text']}" for each in data["targets"]),
        *(f"Would leave: {rule}" for rule in data["parts"]),
        f"Why: {data['rationale']}",
        f"Confidence {data['confidence']:.2f} ({parts}); suggested: {data['suggested_action']}.",
        f"Lessons ({data['lessons']} of {data['projects']} projects):",
        *(f"- [{each['id']}] {each['text']}" for each in data["instances"]),
        "Against it:" if data["contradictions"] else "Nothing speaks against it so far.",
        *(f"- [{each['id']}] {each['text']}" for each in data["contradictions"]),
    ]
    return Told(framed(data), _block(lines))


def _why(context: Context, proposal: Mapping[str, Any], instances: list[dict[str, Any]]) -> str:
    """Return why it is proposed: the generalizer tells numbers, and an agent what it learned where it worked."""
    if _changes_elsewhere(context, proposal):
        return WITHHELD_CHANGE
    is_elsewhere = any(each["text"] == WITHHELD for each in instances)
    is_generalized = context.home.queue.find(proposal["id"]).is_generalized
    return str(proposal["rationale"]) if is_generalized or not is_elsewhere else WITHHELD_WHY


def _quoted(context: Context, instances: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    ids = [each["id"] for each in instances]
    seen = (
        context.visible
        if not may_decide(str(context.home.path))
        else context.visible.model_copy(update={"projects": None})
    )
    entries = {
        entry.id: entry for entry in context.home.storage.memories.scan(seen.model_copy(update={"ids": tuple(ids)}))
    }
    return [{"id": id, "text": shortened(entries[id].content, id) if id in entries else WITHHELD} for id in ids]


def decide(context: Context, arguments: dict[str, Any]) -> Told:
    """Decide in the user's name, where they allow it."""
    if not may_decide(str(context.home.path)):
        raise Conflict(
            "Nothing was decided, because deciding is the user's: give them the command `hardwon review`, or let them "
            "set decide = true under [plugins.mcp] in config.toml."
        )
    decision, id = arguments["decision"], arguments["id"]
    why = f"{arguments.get('why', '')} (told to {context.caller.name})".strip()
    if decision == "rewrite":
        if not arguments.get("text", "").strip():
            raise InvalidInput("Nothing was decided, because “text” is missing; give the rule in the user's words.")
        report = _run(context, "rewrite", id, arguments["text"], why=why)
    elif decision == "undo":
        report = _run(context, "undo", id, why=why)
    else:
        report = _run(context, decision, (id,), why=why)
    return Told({"decision": decision, **report.data}, report.text)


def _block(lines: list[str]) -> str:
    return "\n".join([MARKER, *lines, END])
