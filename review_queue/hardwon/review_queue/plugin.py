"""What this part registers: the Markdown queue and the `review` commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon.review_queue.actions import ACTIONS

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import ReviewQueue


def open_queue(home: Home) -> ReviewQueue:
    """Return the queue of a home."""
    from hardwon.review_queue.queue import MarkdownQueue

    return MarkdownQueue(home)


@hookimpl
def register_review_queues(register: Register) -> None:
    """Offer the queue."""
    register("markdown", open_queue)


@hookimpl
def register_actions(register: Register) -> None:
    """Offer the commands."""
    for name, action in ACTIONS.items():
        register(name, action)
