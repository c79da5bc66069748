"""memory_draft_next and memory_draft_save: the user's agent words what the generalizer could not, and decides nothing.

Lessons of other projects are given out only where the user allows it, and those of projects that are kept out of rules
to nobody.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.filtering import means
from hardwon.kernel.lesson_fields import FIELDS
from hardwon.kernel.use_cases.drafting import save_draft, set_aside, waiting_for_words
from hardwon.kernel.use_cases.drafts_told import asked, drafted_data, drafted_text, within_bounds, work_data, works_text
from hardwon.kernel.use_cases.embedding_process import start_embedding
from hardwon_mcp.permissions import may_draft
from hardwon_mcp.work.context import Context, Told
from hardwon_mcp.work.telling import framed

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.query import Filter

FEW = 3
"""How many are given out where the agent does not say."""
HOW = (
    "Give each its words by memory_draft_save: its id and the principle, and of a lesson also what else it lacks; or "
    "nothing: true, where nothing in a lesson holds in another project. Then ask for the next. Do not decide anything."
)
ASK = (
    "{} wait whose lessons are of other projects. If the user wants you to read those, they put draft = true under "
    "[plugins.mcp] in config.toml; tell them so."
)


def take(context: Context, arguments: dict[str, Any]) -> Told:
    """Give out what waits for words next."""
    context.require_recall()
    limit = arguments.get("limit", FEW)
    asked_for = partial(waiting_for_words, context.home, only=arguments.get("id", ""), doubtful=True)
    works, waiting = asked_for(limit, may_be_shown=lambda entry: _may_be_shown(context, entry))
    works = within_bounds(works)
    withheld = 0 if may_draft(str(context.home.path)) else asked_for(0)[1] - waiting
    ask = ASK.format(withheld) if withheld else ""
    data = framed({"waiting": waiting, "work": [work_data(each) for each in works], "withheld": withheld})
    # Some clients show their model the data alone, others the text alone.
    data |= {"how": asked(works, HOW) if works else "", "ask": ask}
    return Told(data, "\n".join(filter(None, [works_text(works, waiting, HOW), ask])))


def draft(context: Context, arguments: dict[str, Any]) -> Told:
    """Keep the words that an agent gives. Raises InvalidInput that says all that is to be mended."""
    context.require_capture()
    id, by = arguments["id"], context.caller.name
    proposal = _proposal(context, id)
    if proposal is not None and not _may_be_worded(context, proposal):
        raise NotFound(f"The lessons behind {id} are of other projects. {ASK.format('Proposals')}")
    if arguments.get("nothing"):
        if proposal is not None:
            raise InvalidInput(f"{id} is a proposed rule, which only the user turns down; leave it, or give its words.")
        set_aside(context.home, id, by=by, among=_visible(context))
        return Told({"id": id, "nothing": True}, f"Noted: nothing in {id} holds in another project.")
    given = {name: arguments[name] for name in FIELDS if arguments.get(name)}
    drafted = save_draft(context.home, id, given, by=by, among=_visible(context))
    if drafted.to_mend and not drafted.kept:
        raise InvalidInput(drafted_text(drafted))
    start_embedding(context.home)
    text = drafted_text(drafted)
    return Told(drafted_data(drafted) | {"advice": text if drafted.to_mend or drafted.untouched else ""}, text)


def _proposal(context: Context, id: str) -> Proposal | None:
    try:
        return context.home.queue.find(id)
    except NotFound:
        return None


def _may_be_worded(context: Context, proposal: Proposal) -> bool:
    entries = context.home.storage.memories.get([each.id for each in proposal.instances])
    return all(_may_be_shown(context, entry) for entry in entries.values())


def _may_be_shown(context: Context, entry: MemoryEntry) -> bool:
    return means(_visible(context), entry)


def _visible(context: Context) -> Filter:
    seen = context.visible
    return seen.model_copy(update={"projects": None}) if may_draft(str(context.home.path)) else seen
