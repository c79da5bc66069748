"""Commands by which an agent with a shell words what waits for words; MCP has the same as tools."""

from __future__ import annotations

import sys
from typing import Annotated

from hardwon.kernel.actions import Report
from hardwon.kernel.errors import InvalidInput, UsageError
from hardwon.kernel.home import Home

AGENT = "an agent"
HOW = (
    'Give each its words: `hardwon drafts save ID --principle "…" --by NAME`, of a lesson also what else it lacks; or '
    "`hardwon drafts save ID --nothing`, where nothing in a lesson holds in another project. Then ask for the next. "
    "Nothing is decided by that."
)


def next_(
    home: Home,
    id: Annotated[str, "only this proposal or memory; without it, what comes next"] = "",
    *,
    limit: Annotated[int, "at most so many"] = 3,
) -> Report:
    """Show what waits for words: proposed rules without a sure sentence, lessons without a principle."""
    from hardwon.kernel.use_cases.drafting import waiting_for_words
    from hardwon.kernel.use_cases.drafts_told import within_bounds, work_data, works_text

    home.require()
    if limit < 1:
        raise UsageError("The limit is below 1; give how many you want to see.")
    works, waiting = waiting_for_words(home, limit, only=id, doubtful=True)
    works = within_bounds(works)
    return Report(
        {"waiting": waiting, "work": [work_data(each) for each in works]},
        works_text(works, waiting, HOW),
        verbatim=True,
    )


def save(
    home: Home,
    id: Annotated[str, "the id of the proposal or of the memory"],
    *,
    principle: Annotated[str, "of a proposal the rule, of a lesson its principle: one sentence without names"] = "",
    situation: Annotated[str, "of a lesson: what was being done"] = "",
    cause: Annotated[str, "of a lesson: why it went wrong"] = "",
    fix: Annotated[str, "of a lesson: what helped"] = "",
    nothing: Annotated[bool, "nothing in this lesson holds in another project; it is not asked for again"] = False,
    by: Annotated[str, "who words it; by itself you at a terminal, and an agent elsewhere"] = "",
) -> Report:
    """Give words to a proposed rule or to a lesson; the user decides later, and what they worded stays."""
    from hardwon.kernel.lesson_fields import PERSON
    from hardwon.kernel.use_cases.drafting import save_draft, set_aside
    from hardwon.kernel.use_cases.drafts_told import drafted_data, drafted_text
    from hardwon.kernel.use_cases.embedding_process import start_embedding

    home.require()
    by = by.strip() or (PERSON if sys.stdin.isatty() else AGENT)
    fields = {"principle": principle, "situation": situation, "cause": cause, "fix": fix}
    if nothing:
        if any(fields.values()):
            raise UsageError("Either nothing holds elsewhere, or you give words; say one of both.")
        found = set_aside(home, id, by=by)
        return Report({"id": found, "nothing": True}, f"Noted: nothing in `{found}` holds in another project.")
    drafted = save_draft(home, id, fields, by=by)
    if drafted.to_mend and not drafted.kept:
        raise InvalidInput(drafted_text(drafted))
    start_embedding(home)
    return Report(drafted_data(drafted), drafted_text(drafted), failed=bool(drafted.to_mend))
