"""Who may see a memory that is for one agent: that agent, and the user. Every store and every access asks here.

And what may be handed to other people (`may_be_handed_on`): what a person marked as shared.

Whoever asks as an agent is held to this by `Filter.agent`; an agent that nobody named, or named with blanks, is one
that no memory is for. Standard library alone, since the hook program asks too.
"""

from __future__ import annotations

SHARED = ("shared-read", "shared-append", "shared-write")
"""The visibilities by which a person let others have a memory; what those may do with it, they agree on."""
NOBODY = ""
"""The agent that nobody named: it sees what is for any agent."""


def reader(agent: str | None) -> str:
    """Return who asks, as a filter takes it, for an access that knows an agent's name or should know it."""
    return agent.strip() if isinstance(agent, str) else NOBODY


def may_be_handed_on(visibility: str) -> bool:
    """Tell whether a memory of this visibility goes to other people: not what is private, nor what nobody knows."""
    return visibility in SHARED


def may_see(agent: str | None, asked_by: str | None) -> bool:
    """Tell whether a memory for `agent` (None: for any) is seen by whoever asks; None is the user, who sees all.

    Names are compared whole: none stands for others, whatever signs are in it.
    """
    if asked_by is None or agent is None:
        return True
    return bool(asked_by.strip()) and agent == asked_by
