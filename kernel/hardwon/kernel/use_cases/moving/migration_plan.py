"""From which store a migration goes to which, whether it goes on with one that was cut off, and what is in its way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import Conflict, InvalidInput, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.kept_where import ASIDE, Places
from hardwon.kernel.migration_state import Stage, State, read_state, refuse_half_moved
from hardwon.kernel.query import Filter
from hardwon.kernel.settings import Settings
from hardwon.kernel.use_cases.moving.address import address_setting, refuse_address
from hardwon.kernel.use_cases.moving.settings_text import with_values


@dataclass(frozen=True)
class Plan:
    """One migration, as it is about to be made."""

    home: Home
    state: State
    goes_on: bool
    """It goes on with one that was cut off."""

    @property
    def is_switched(self) -> bool:
        """Tell whether the settings name the new store already, and only the end is missing."""
        return self.home.settings.store == self.state.target

    @property
    def places(self) -> Places:
        """Return where the stores of the home keep what they keep."""
        return Places(self.home.path, self.home.registry.all("store_places"))

    @property
    def values(self) -> Mapping[tuple[str, ...], str]:
        """Return the settings that name the new store."""
        address = {address_setting(self.state.target): self.state.address} if self.state.address else {}
        return {("store",): self.state.target, **address}

    @contextmanager
    def source(self) -> Iterator[Home]:
        """Open the home with the store that it is moved from."""
        if self.home.settings.store == self.state.source:
            yield self.home
            return
        with self._opened(self.state.source, "") as opened:
            yield opened

    @contextmanager
    def target(self) -> Iterator[Home]:
        """Open the home with the store that it is moved to."""
        with self._opened(self.state.target, self.state.address) as opened:
            yield opened

    def _opened(self, store: str, address: str) -> Home:
        home = self.home
        return Home(
            home.path,
            named_by=home.named_by,
            console=home.console,
            clock=home.clock,
            registry=home.registry,
            settings=_at_store(home.settings, store, address),
            may_begin=True,
        )

    def set_aside(self) -> Path | None:
        """Move what lies in the target's place out of the way; return where it is then. Raises InvalidInput."""
        if self.state.target not in self.places.patterns:
            raise InvalidInput(
                f"What {self.state.target} holds cannot be set aside from here; name another place for it."
            )
        found = self.places.of(self.state.target)
        if not found or self.is_switched:
            return None
        folder = self.home.path / ASIDE / f"{self.state.target}-{self.home.clock.now():%Y-%m-%dT%H-%M-%S}"
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(mode=0o700)
        for path in found:
            path.rename(folder / path.name)
        return folder

    def refuse_another_memory(self, target: Home) -> None:
        """Raise Conflict where the target holds what is not the half-done work of this migration."""
        if self.goes_on or is_empty(target):
            return
        to = self.state.target
        what = "name another place, such as another schema, or empty that one"
        if to in self.places.patterns:
            what = f'set store = "{to}" to go back to it, or give --afresh to set it aside'
        raise Conflict(f"The store {to} holds another memory already; {what}.")


def plan_migration(home: Home, to: str, address: str) -> Plan:
    """Return the migration to make. Raises UsageError, PluginError, InvalidInput for settings that cannot be edited."""
    home.registry.get("stores", to)
    refuse_address(home.registry, to, address)
    known = read_state(home.path)
    if known and known.stage is not Stage.DONE and known.target == to and address in ("", known.address):
        plan = Plan(home, known, goes_on=True)
        if plan.is_switched:
            refuse_half_moved(home.path, to)
        return plan
    if home.settings.store == to:
        raise UsageError(f"The memory of {home.path} is in {to} already; name another store.")
    plan = Plan(home, State(home.settings.store, to, address, Stage.COPY, home.clock.now()), goes_on=False)
    with_values(home.path, plan.values)  # before the work, not after it
    return plan


def _at_store(settings: Settings, store: str, address: str) -> Settings:
    """Return settings that name another store."""
    changes: dict[str, Any] = {"store": store}
    if address:
        content = settings.model_dump()
        *tables, name = address_setting(store)
        inner = content
        for table in tables:
            inner = inner.setdefault(table, {})
        inner[name] = address
        return Settings.model_validate({**content, **changes})
    return settings.model_copy(update=changes)


def is_empty(home: Home) -> bool:
    """Tell whether a home's store keeps nothing that a person or an agent made."""
    storage = home.storage
    parts = (
        storage.memories.scan(Filter(statuses=None)),
        storage.ledger.decisions(),
        home.queue.all(),
        storage.journal.blocks(),
        storage.documents.names(""),
    )
    return all(next(iter(part), None) is None for part in parts)
