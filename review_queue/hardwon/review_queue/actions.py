"""The `review` commands: see what waits, and decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import HardwonError, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.people import account_name

if TYPE_CHECKING:
    from hardwon.kernel.proposal import Proposal

Ids = Annotated[tuple[str, ...], "ids of proposals, or unique beginnings of them"]
Why = Annotated[str, "the reason, kept with the decision"]


def list_proposals(home: Home) -> Report:
    """Show the proposals that wait for you, best first."""
    from hardwon.review_queue.telling import as_data, listing

    pending = home.queue.pending()
    problems = home.queue.problems()
    return Report([as_data(each) for each in pending], listing(pending, problems), failed=bool(problems))


def show(home: Home, id: Annotated[str, "the proposal's id, or a unique beginning of it"]) -> Report:
    """Show one proposal whole: the rule, why, its confidence, the lessons behind it and those against."""
    from hardwon.review_queue.telling import as_data, details

    proposal = home.queue.find(id)
    decisions = home.storage.ledger.decisions(proposal.id)
    data = as_data(proposal) | {
        "state": proposal.state,
        "decisions": [each.model_dump(mode="json") for each in decisions],
    }
    return Report(data, details(proposal, decisions))


def accept(
    home: Home,
    ids: Ids = (),
    *,
    all: Annotated[bool, "every proposal that waits"] = False,
    why: Why = "",
    yes: Annotated[bool, "do not ask before taking all"] = False,
) -> Report:
    """Carry proposals out: make rules, or change them, in your words where you edited their documents."""
    from hardwon.kernel.use_cases.review import accept as take
    from hardwon.review_queue.telling import accepted_data, accepted_text

    chosen = _chosen(home, ids, all)
    question = f"Accept {counted(len(chosen), 'proposal')}, all that wait?"
    if chosen and all and not yes and not home.console.confirm(question):
        raise UsageError("Nothing was accepted; answer yes, or run it with --yes.")

    def one(proposal: Proposal) -> tuple[dict[str, Any], str]:
        accepted = take(home, proposal, by=account_name(), why=why)
        return accepted_data(accepted), accepted_text(proposal, accepted)

    return _each(home, chosen, one, single=len(ids) == 1)


def rewrite(
    home: Home,
    id: Annotated[str, "the proposal's id, or a unique beginning of it"],
    text: Annotated[str, "the rule in your words, one sentence that says what to do"],
    *,
    why: Why = "",
) -> Report:
    """Carry a proposal out in your own words."""
    from hardwon.kernel.use_cases.review import accept as take
    from hardwon.review_queue.telling import accepted_data, accepted_text

    proposal = home.queue.find(id)
    accepted = take(home, proposal, by=account_name(), why=why, text=text)
    return Report(accepted_data(accepted), accepted_text(proposal, accepted))


def reject(
    home: Home,
    ids: Ids = (),
    *,
    why: Why = "",
) -> Report:
    """Turn proposals down; one comes back only when its evidence has grown."""
    from hardwon.kernel.use_cases.review import reject as turn_down

    def one(proposal: Proposal) -> tuple[dict[str, Any], str]:
        decision = turn_down(home, proposal, by=account_name(), why=why)
        return {"proposal": proposal.id, "decision": decision.id}, f"Proposal `{proposal.id}` was rejected."

    return _each(home, _chosen(home, ids, all=False), one, single=len(ids) == 1)


def undo(home: Home, id: Annotated[str, "the proposal's id, or a unique beginning of it"], *, why: Why = "") -> Report:
    """Take the last decision on a proposal back; everything stands as before it, and the proposal waits again."""
    from hardwon.kernel.use_cases.review import undo as take_back

    proposal = home.queue.find(id)
    decision = take_back(home, proposal, by=account_name(), why=why)
    data = {"proposal": proposal.id, "decision": decision.id, "undoes": decision.undoes, "rule_id": decision.rule}
    return Report(data, f"Proposal `{proposal.id}` waits for you again.")


def edit(
    home: Home,
    id: Annotated[str, "the proposal's id, or a unique beginning of it"],
    text: Annotated[str, "the rule in your words; without it, your $EDITOR opens the proposal as Markdown"] = "",
) -> Report:
    """Change a waiting proposal without deciding: its wording at once, or all of it in your editor."""
    from hardwon.kernel.use_cases.review import reword
    from hardwon.review_queue.editing import edit_document
    from hardwon.review_queue.telling import as_data

    before = home.queue.find(id)
    changed = reword(home, before, text) if text else edit_document(home, before)
    return Report(as_data(changed), f"Proposal `{changed.id}` now reads: {changed.rule}")


def _chosen(home: Home, ids: Sequence[str], all: bool) -> list[str]:
    """Return the ids that were given, or those of all that wait."""
    if all == bool(ids):
        raise UsageError("Name the proposals by id, or say --all; `hardwon review list` shows them.")
    return [proposal.id for proposal in home.queue.pending()] if all else list(dict.fromkeys(ids))


def _each(
    home: Home, ids: Sequence[str], one: Callable[[Proposal], tuple[dict[str, Any], str]], *, single: bool
) -> Report:
    """Decide one after the other; what cannot be decided gets its sentence and stops none of the others."""
    if single:
        data, text = one(home.queue.find(ids[0]))
        return Report(data, text)
    done, lines, failed, seen = [], [], False, set()
    for id in ids:
        try:
            proposal = home.queue.find(id)
            if proposal.id in seen:
                continue
            seen.add(proposal.id)
            data, text = one(proposal)
        except HardwonError as error:
            data, text, failed = {"proposal": id, "error": str(error)}, str(error), True
        done.append(data)
        lines.append(f"- {text}")
    return Report(done, "\n".join(lines) or "Nothing waits for you.", failed=failed)


ACTIONS = {
    "review list": Action(list_proposals, "review list", reads_only=True),
    "review show": Action(show, "review show ID", reads_only=True),
    "review edit": Action(edit, 'review edit ID "Set a time limit on every network call."'),
    "review accept": Action(accept, 'review accept ID --why "we paid for this twice"'),
    "review rewrite": Action(rewrite, 'review rewrite ID "Set a time limit on every network call."'),
    "review reject": Action(reject, 'review reject ID --why "two different causes"'),
    "review undo": Action(undo, "review undo ID"),
}
