"""Migration: the memory of a home into another store, verified, with the old store left as it is.

    copy      everything, and compare it part by part, while others go on writing to the old store
    catch up  where they wrote: once more, in the end under the old store's writers' lock
    switch    under that lock, nothing being written since: the setting `store`, in the text of `config.toml`
    late      what the ledger of activity got meanwhile, which no lock holds back

A kill at any point leaves the old store in charge, or the new one complete; the repeated command goes on. Whoever had
the old store open is told at the next write (hardwon.kernel.moved), and nothing is acknowledged that is not moved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel import background
from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.kernel.migration_state import Stage, write_state
from hardwon.kernel.ports import Replicated, Stamped
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.hook_program import refresh_hook
from hardwon.kernel.use_cases.moving.comparing import PARTS, Compared, compare
from hardwon.kernel.use_cases.moving.copying import Copying
from hardwon.kernel.use_cases.moving.migration_plan import Plan, plan_migration
from hardwon.kernel.use_cases.moving.settings_text import set_values
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.kernel.use_cases.running.holder import current_holder
from hardwon.kernel.use_cases.running.run import who

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.records import Problem

LATE = ("activity", "vectors")
"""Parts that no lock holds back: they are copied once more after the switch, and compared then."""


@dataclass(frozen=True)
class Migration:
    """What was moved."""

    source: str
    target: str
    parts: tuple[Compared, ...]
    seconds: float
    held: float
    """Seconds for which writers had to wait."""
    went_on: bool
    """It went on with one that was cut off."""
    left: tuple[Path, ...]
    """Where the old store's data lies, if in the home."""
    aside: Path | None
    """Where what was in the target's place lies now."""
    problems: tuple[Problem, ...]
    """What could not be taken along."""


def migrate(home: Home, to: str, address: str = "", *, afresh: bool = False) -> Migration:
    """Move the memory of a home into another store, and let its settings name that one.

    `address` is the URL of a store that lies elsewhere. `afresh` sets aside what lies in the target's place. Raises
    UsageError, Conflict, StoreBusy while another process consolidates, and StoreError where the two are not equal in
    the end; then the old store stays in charge, untouched.
    """
    home.require()
    began = time.monotonic()
    with _alone(home):
        plan = plan_migration(home, to, address)
        with plan.source() as source:
            # Where the old store cannot be read, nothing is set aside, made or noted yet.
            total = sum(1 for _ in source.storage.memories.scan(Filter(statuses=None)))
            aside = plan.set_aside() if afresh else None
            with plan.target() as target:
                copying = Copying(source, target)
                parts, held = ((), 0.0) if plan.is_switched else _moved(plan, copying, source, target, total)
                parts += _late(copying, source, target)
                refresh_hook(target)
                if isinstance(target.storage, Replicated):
                    target.storage.refresh_replica()
                write_state(home.path, plan.state.at(Stage.DONE))
        return Migration(
            source=plan.state.source,
            target=to,
            parts=parts,
            seconds=time.monotonic() - began,
            held=held,
            went_on=plan.goes_on,
            left=tuple(plan.places.of(plan.state.source)),
            aside=aside,
            problems=tuple(copying.problems),
        )


@contextmanager
def _alone(home: Home) -> Iterator[None]:
    """Keep runs of `consolidate` away as long as it takes. Raises StoreBusy."""
    lock = home.path / LOCK_FILE
    if other := current_holder(lock):
        raise StoreBusy(f"{who(other)}; migrate when `hardwon status` says that it has ended.")
    with background.alone(lock) as free:
        if not free:
            raise StoreBusy("A run of `hardwon consolidate` has just begun; migrate when it has ended.")
        yield


def _moved(plan: Plan, copying: Copying, source: Home, target: Home, total: int) -> tuple[tuple[Compared, ...], float]:
    """Copy, compare and switch; return the parts, and for how many seconds writers had to wait."""
    plan.refuse_another_memory(target)
    write_state(plan.home.path, plan.state)
    for label in ("Copying", "Catching up", "Catching up again"):
        stamp = _stamp(source)
        _copy(copying, source, total, label)
        if not stamp:
            break
        parts = _compared(source, target)
        with source.storage.operation(f"Move the memory to {plan.state.target}"):
            began = time.monotonic()
            if stamp == _stamp(source):
                return _switched(plan, parts, source, target), time.monotonic() - began
    with source.storage.operation(f"Move the memory to {plan.state.target}"):
        began = time.monotonic()
        _copy(copying, source, total, "Catching up while others wait")
        return _switched(plan, _compared(source, target), source, target), time.monotonic() - began


def _stamp(home: Home) -> str:
    """Return what tells whether something was written meanwhile; empty where a store cannot tell."""
    return home.storage.stamp() if isinstance(home.storage, Stamped) else ""


def _switched(plan: Plan, parts: tuple[Compared, ...], source: Home, target: Home) -> tuple[Compared, ...]:
    """Let the settings name the new store. Raises StoreError where it is not equal to the old one."""
    for part in parts:
        if not part.is_equal:
            raise StoreError(_unequal(part, source, target))
    write_state(plan.home.path, plan.state.at(Stage.SWITCH))
    set_values(plan.home.path, plan.values)
    return parts


def _copy(copying: Copying, home: Home, total: int, label: str) -> None:
    with home.console.track(f"{label}: memories", total) as advance:
        copying.memories(advance)
    rest: tuple[Callable[[], None], ...] = (
        copying.relations,
        copying.proposals,
        copying.decisions,
        copying.journal,
        copying.documents,
        copying.activity,
        copying.vectors,
    )
    with home.console.track(f"{label}: what belongs to them", len(rest)) as advance:
        for part in rest:
            part()
            advance(1)


def _compared(source: Home, target: Home) -> tuple[Compared, ...]:
    """Compare what the lock can hold still."""
    parts = []
    wanted = [part for part in PARTS if part not in LATE]
    with source.console.track("Comparing", len(wanted)) as advance:
        for part in wanted:
            parts.append(compare(source, target, part))
            advance(1)
    return tuple(parts)


def _late(copying: Copying, source: Home, target: Home) -> tuple[Compared, ...]:
    """Copy once more what others could write until the switch, and compare it."""
    copying.activity()
    copying.vectors()
    return tuple(compare(source, target, part) for part in LATE)


def _unequal(compared: Compared, source: Home, target: Home) -> str:
    names = (source.settings.store, target.settings.store)
    only = [f"only in {names[0]}: {line[:200]}" for line in compared.missing]
    only += [f"only in {names[1]}: {line[:200]}" for line in compared.extra]
    return (
        f"The {compared.part} are not the same in {names[0]} and {names[1]} ({'; '.join(only)}), so that nothing was "
        "switched; repeat the command with --afresh, and report it if that does not help."
    )
