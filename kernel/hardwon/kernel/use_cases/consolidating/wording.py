"""Has the user's language model word what a run left without words: proposals first, then lessons.

It works on the queue as the run left it, and only while no lock is held. What the model gives is a draft like any
agent's: held to the same measure, noted as the model's, and never in the place of a person's words. Whatever it cannot
do now stays as it is, and the next run asks again; what was asked before costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, InvalidInput, NotFound, Unavailable
from hardwon.kernel.lesson_fields import PRINCIPLE
from hardwon.kernel.ports import Drafter
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.drafting import Work, save_draft, set_aside, waiting_for_words

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

WORDED, UNWORDED = "worded_by_model", "left_without_words"


def word_with_model(home: Home) -> dict[str, int]:
    """Let the model word what waits for words, as much as one run may ask; return how much it did."""
    drafter, model = home.generalizer, home.language_model
    if model is None or not isinstance(drafter, Drafter):
        return {}
    caps = home.settings.language_model
    works, _ = waiting_for_words(home, caps.calls_per_run, reword=caps.rewords)
    done = 0
    for work in works:
        if model.reason_not_to_ask():
            break
        done += _is_worded(home, drafter, work, model.name)
    return {WORDED: done, UNWORDED: len(works) - done} if works else {}


def _is_worded(home: Home, drafter: Drafter, work: Work, by: str) -> bool:
    """Have one thing worded and keep the words; return whether they stand now."""
    fields = _words(home, drafter, work)
    if fields is None:
        return False
    try:
        if fields:
            return bool(save_draft(home, work.id, fields, by=by).kept)
        set_aside(home, work.id, by=by)
    except (Conflict, NotFound, InvalidInput):  # a person was faster
        return False
    return True


def _words(home: Home, drafter: Drafter, work: Work) -> Mapping[str, str] | None:
    """Return the model's words by field, none where nothing in a lesson transfers; None where it gave no answer."""
    try:
        if work.proposal is not None:
            language = home.settings.language or language_of(" ".join(each.content for each in work.lessons))
            rule = drafter.draft_rule(work.lessons, language)
            return {PRINCIPLE: rule} if rule else None
        lesson = drafter.draft_lesson(work.lessons[0])
    except Unavailable:
        return None
    if lesson is None:
        return None
    fields = {name: text for name in work.lacking if (text := getattr(lesson, name))}
    return fields if PRINCIPLE in fields else {}
