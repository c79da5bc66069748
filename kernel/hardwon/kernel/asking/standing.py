"""How a language model stands, for `status`: what was spent today against the caps, and until when it rests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from hardwon.kernel.asking.resting import resting_until
from hardwon.kernel.asking.spending import KIND, NOT_ASKED, spent, start_of_day
from hardwon.kernel.asking.state import read_state
from hardwon.kernel.local_time import local_zone

if TYPE_CHECKING:
    from pathlib import Path

    from hardwon.kernel.ports import Clock, Ledger
    from hardwon.kernel.settings import LanguageModelSettings


@dataclass(frozen=True)
class ModelStanding:
    """One look at the language model."""

    model: str
    calls: int
    """Of today, as the next two."""
    tokens: int
    dollars: float
    unpriced: int
    """Of the calls, those whose price nobody knows."""
    calls_per_day: int
    tokens_per_day: int
    dollars_per_day: float
    resting_until: datetime | None = None
    why: str = ""
    """Why it rests, or why it was last not asked today; empty where nothing was in the way."""


def model_standing(caps: LanguageModelSettings, home: Path, clock: Clock, ledger: Ledger) -> ModelStanding | None:
    """Return how the model of the settings stands; None where none is named."""
    if not caps.model:
        return None
    now, state = clock.now(), read_state(home)
    today = list(ledger.activity(KIND, start_of_day(now)))
    so_far = spent(today, state)
    resting = resting_until(state, f"{caps.model} {caps.api_base}".strip(), now)
    last = today[-1].details if today else {}
    refused = str(last.get("reason", "")) if last.get("outcome") == NOT_ASKED else ""
    return ModelStanding(
        model=caps.model,
        calls=so_far.calls,
        tokens=so_far.tokens,
        dollars=round(so_far.dollars, 6),
        unpriced=so_far.unpriced,
        calls_per_day=caps.calls_per_day,
        tokens_per_day=caps.tokens_per_day,
        dollars_per_day=caps.dollars_per_day,
        resting_until=datetime.fromtimestamp(resting.until, local_zone()) if resting else None,
        why=resting.why if resting else refused,
    )


def model_text(standing: ModelStanding) -> str:
    """Return it in a line: the model, what it took today of what it may take, and what is in its way."""
    unpriced = f" (and {standing.unpriced} of unknown price)" if standing.unpriced else ""
    said = (
        f"`{standing.model}`, today {standing.calls} of {standing.calls_per_day} calls, "
        f"{standing.tokens} of {standing.tokens_per_day} tokens, "
        f"${standing.dollars:.4f} of ${standing.dollars_per_day:.2f}{unpriced}"
    )
    if standing.resting_until:
        return f"{said}; rests until {standing.resting_until:%Y-%m-%d %H:%M} ({standing.why})"
    return f"{said}; {standing.why}" if standing.why else said
