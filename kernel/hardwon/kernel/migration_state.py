"""How far a migration came, beside the memory: `migration.json` in the home, so that the repeated command goes on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from hardwon.kernel.errors import Conflict, NewerFormat
from hardwon.kernel.whole_file import write_whole

FILE = "migration.json"
FORMAT_VERSION = 1


class Stage(StrEnum):
    """What is being done."""

    COPY = "copy"
    SWITCH = "switch"
    """Everything was compared; the settings are being changed."""
    DONE = "done"


@dataclass(frozen=True)
class State:
    """One migration."""

    source: str
    target: str
    address: str
    """Where the target lies, if not in the home."""
    stage: Stage
    began: datetime

    def at(self, stage: Stage) -> State:
        """Return it at another stage."""
        return replace(self, stage=stage)


def read_state(home: Path) -> State | None:
    """Return the last migration of a home; None where there was none. Raises NewerFormat.

    One that cannot be read is as good as none: then a target that holds something is not known to be half done.
    """
    path = home / FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] > FORMAT_VERSION:
            raise NewerFormat(f"{path} was written by a newer hardwon; upgrade hardwon, nothing was touched.")
        began = datetime.fromisoformat(content["began"])
        stage = Stage(content["stage"])
        return State(str(content["source"]), str(content["target"]), str(content["address"]), stage, began)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def write_state(home: Path, state: State) -> None:
    """Write how far it came; it survives a power cut."""
    content = {"format": FORMAT_VERSION, **asdict(state), "began": state.began.isoformat()}
    write_whole(home / FILE, f"{json.dumps(content)}\n".encode(), durable=True)


def refuse_half_moved(home: Path, store: str) -> None:
    """Raise Conflict where a store got only a part of the memory until now, and a person let the settings name it."""
    state = read_state(home)
    if state is not None and state.stage is Stage.COPY and state.target == store:
        raise Conflict(
            f"The memory of {home} was moved to {store} in part, and is whole in {state.source}; "
            f'set store = "{state.source}" again, then repeat `hardwon migrate --to {store}`.'
        )


def unfinished(home: Path) -> str:
    """Return what is to be done about a migration that was cut off, as a sentence; empty where there is none."""
    state = read_state(home)
    if state is None or state.stage is Stage.DONE:
        return ""
    again = " ".join(filter(None, [f"hardwon migrate --to {state.target}", state.address]))
    return f"A migration to {state.target} was cut off; repeat `{again}`, or remove the file to stay where you are."
