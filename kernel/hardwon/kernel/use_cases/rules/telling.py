"""What happened to rules, each step in a sentence: decisions of every kind, and lessons that came to a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted
from hardwon.kernel.proposal import Action, ProposalKind
from hardwon.kernel.use_cases.rules.bearings import JOINED
from hardwon.kernel.use_cases.rules.linking import LINK, UNLINK

if TYPE_CHECKING:
    from hardwon.kernel.proposal import Decision
    from hardwon.kernel.records import Activity

LONGEST = 100
"""Characters of a rule's words in a sentence."""


def told_decision(decision: Decision) -> str:
    """Return a decision in a sentence, with the reason where one was given."""
    why = f" Because: {decision.why.strip()}" if decision.why.strip() else ""
    return f"{decision.by} {_did(decision)}.{why}"


def _did(decision: Decision) -> str:
    if decision.action in (LINK, UNLINK) or decision.proposal.startswith(f"{LINK}-"):
        return _linked(decision)
    if decision.action == Action.REJECT:
        return f"turned down proposal {decision.proposal} ({decision.kind})"
    if decision.undoes is not None:
        what = "memory" if decision.kind is ProposalKind.SETTLE else "rule"
        of = f", which was about {what} {decision.rule}" if decision.rule else ""
        return f"took back the decision on proposal {decision.proposal} ({decision.kind}){of}"
    return _changed(decision)


def _linked(decision: Decision) -> str:
    """Return what was done to an edge; the undoing of one is its opposite."""
    lesson = ", ".join(decision.revisions)
    opposes = "contradicts" in (decision.before, decision.after)
    how = "against rule" if opposes else "to rule"
    if decision.after:
        return f"linked lesson {lesson} {how} {decision.rule}"
    return f"unlinked lesson {lesson} from rule {decision.rule}{', against which it spoke' if opposes else ''}"


def _changed(decision: Decision) -> str:
    own = " in their own words" if decision.action == Action.REWRITE else ""
    targets = " and ".join(decision.targets)
    stands = f"{_quoted(decision.after)} stands as {decision.rule}"
    count = len(decision.after.splitlines())
    return {
        ProposalKind.NEW_RULE: f"accepted rule {decision.rule}{own}: {_quoted(decision.after)}",
        ProposalKind.REFINE: f"refined rule {targets}{own}: {stands}",
        ProposalKind.MERGE: f"merged rules {targets}{own}: {stands}",
        ProposalKind.SPLIT: f"split rule {targets} into {counted(count, 'rule')}: {_quoted(decision.after)}",
        ProposalKind.NARROW: f"narrowed where rule {targets} holds{own}: {stands}",
        ProposalKind.RETIRE: f"retired rule {targets}: {_quoted(decision.before)}",
        ProposalKind.SETTLE: f"settled the conflict of {targets}{own}: {decision.rule} stands",
    }.get(decision.kind, f"decided “{decision.action}” on proposal {decision.proposal} ({decision.kind})")


def _quoted(text: str) -> str:
    line = "”, “".join(each.strip() for each in text.splitlines() if each.strip())
    return f"“{line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + '…'}”"


def told_bearing(activity: Activity) -> str:
    """Return in a sentence which lessons came to a rule."""
    lessons = [str(each) for each in activity.details.get("memories") or ()]
    joined = int(activity.details.get(JOINED) or 0)
    parts = []
    for some, verb, verbs in (
        (lessons[:joined], "joined rule", "joined rule"),
        (lessons[joined:], "speaks against rule", "speak against rule"),
    ):
        if some:
            said = verb if len(some) == 1 else verbs
            parts.append(f"{counted(len(some), 'lesson')} {said} {activity.memory}: {', '.join(some)}")
    return "; ".join(parts) + "."
