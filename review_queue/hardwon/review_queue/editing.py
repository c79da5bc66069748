"""A waiting proposal in the person's editor, as the document that it is or would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import HardwonError, InvalidInput, UnreadableFile
from hardwon.kernel.ports import Noted
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.review import take_edit
from hardwon.review_queue.document import parse, references_of, render

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal


def edit_document(home: Home, proposal: Proposal) -> Proposal:
    """Let the person edit a proposal as Markdown; return it as it waits now.

    Raises Unavailable where no editor runs, InvalidInput where what was saved cannot be read, and Conflict where the
    proposal was changed or decided meanwhile; then nothing was changed, and what they saved is told.
    """
    queue = home.queue
    notes = queue.notes(proposal.id) if isinstance(queue, Noted) else ""
    before = render(proposal, references_of(home.storage, proposal), notes)
    after = home.console.edit(before)
    if after == before:
        return proposal
    try:
        return _taken(home, proposal, after)
    except HardwonError:
        home.console.say(f"What you saved, so that nothing of it is lost:\n\n{after}")
        raise


def _taken(home: Home, proposal: Proposal, after: str) -> Proposal:
    """Take in what a person saved; return the proposal. Raises InvalidInput, Conflict."""
    queue = home.queue
    try:
        sheet = parse(after, proposal.id, proposal.id)
    except UnreadableFile as error:
        raise InvalidInput(
            f"What you saved is no proposal any more ({error.reason}), so that {proposal.id} waits as it was; "
            f"repeat `hardwon review edit {proposal.id}`."
        ) from None
    with home.storage.operation(f"Edit a proposal: {sheet.proposal.rule[:72] or proposal.id}"):
        changed = take_edit(home, proposal, sheet.proposal)
        if isinstance(queue, Noted):
            queue.annotate(changed, redacted(home.redactor, sheet.notes)[0])
    return changed
