"""What the last run looked at, as one fingerprint: where everything is as it was then, there is nothing to look at.

It holds all that a proposal hangs on: lessons, rules with what bears on them, the queue with what people wrote into it,
decisions, settings, and the basis that the generalizer names (its program, its catalogue, the embedder).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.ports import Founded
from hardwon.kernel.use_cases.consolidating.derived import FOLDER
from hardwon.kernel.use_cases.rules.backing import backing_of
from hardwon.kernel.use_cases.rules.health import health_of
from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.use_cases.consolidating.material import Material

FILE = "last-look.json"
FORMAT_VERSION = 1


def look(home: Home, material: Material) -> str | None:
    """Return the fingerprint of what a run looks at, the proposals excepted; None where that cannot be told.

    Where a model may be asked a run always looks: what the model could not do yesterday it may do today.
    """
    generalizer = home.generalizer
    if not isinstance(generalizer, Founded) or home.settings.language_model.model:
        return None
    return fingerprint(
        generalizer.basis(),
        home.settings.model_dump_json(),
        material.revisions,
        *_doing(home, material),
    )


def is_as_before(home: Home, seen: str | None, proposals: Iterable[Proposal]) -> bool:
    """Tell whether the last run that came to its end left everything as it is now."""
    return seen is not None and _read(home) == _with(seen, proposals)


def keep_look(home: Home, seen: str | None, proposals: Iterable[Proposal] | None) -> None:
    """Keep what a run looked at, with the proposals as it left them; None: people changed them meanwhile.

    Raises OSError.
    """
    path = home.path / FOLDER / FILE
    if seen is None or proposals is None:
        path.unlink(missing_ok=True)
        return
    content = {"version": FORMAT_VERSION, "looked_at": _with(seen, proposals)}
    write_whole(path, json.dumps(content).encode("ascii"), durable=False)


def _doing(home: Home, material: Material) -> Iterator[str]:
    """Walk what bears on the rules and how they do; that one was shown once more says nothing new."""
    for backing in backing_of(home, material.rules):
        yield json.dumps([[each.id for each in backing.lessons], [each.id for each in backing.against]])
    for health in health_of(home, material.rules).values():
        yield json.dumps(asdict(replace(health, shown=0, sessions=0, shown_in=(), why="")), default=str)


def _with(seen: str, proposals: Iterable[Proposal]) -> str:
    return fingerprint(seen, *sorted(proposal.model_dump_json() for proposal in proposals))


def _read(home: Home) -> str | None:
    try:
        content = json.loads((home.path / FOLDER / FILE).read_bytes())
        return str(content["looked_at"]) if content["version"] == FORMAT_VERSION else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
