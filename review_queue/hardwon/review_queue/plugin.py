"""What this part registers: the queues, of documents and of rows, and the `review` commands."""

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


def open_table(home: Home) -> ReviewQueue:
    """Return the queue of a home whose store keeps proposals as rows."""
    from hardwon.review_queue.table import TableQueue

    return TableQueue(home)


@hookimpl
def register_review_queues(register: Register) -> None:
    """Offer the queues."""
    register("markdown", open_queue)
    register("table", open_table)


@hookimpl
def register_actions(register: Register) -> None:
    """Offer the commands."""
    for name, action in ACTIONS.items():
        register(name, action)
