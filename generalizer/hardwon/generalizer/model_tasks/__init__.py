"""What the user's language model does where there is one: words lessons and rules, compares texts, reads sessions.

Each task returns None where there is no model, a cap is reached, it rests, or it failed; the reason is in the activity
then, and the caller goes the offline way. None is ever done while the writers' lock is held, or while something is
written: only in the background, and by commands that say so.
"""

from hardwon.generalizer.model_tasks.lessons import draft_lesson
from hardwon.generalizer.model_tasks.relations import relation_between
from hardwon.generalizer.model_tasks.rules import draft_rule

__all__ = ["draft_lesson", "draft_rule", "relation_between"]
