"""Finds plugins by entry point and keeps what they register. A broken plugin is a line in a report, never fatal.

`HARDWON_LOAD_PLUGINS` limits the plugins beyond the box: a comma-separated list of names, empty for none. The four
plugins of the box itself come through the same door, and are always let in.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pluggy

from hardwon.kernel import hookspecs
from hardwon.kernel.entry_points import EntryPoint, installed_entry_points
from hardwon.kernel.errors import PluginError

GROUP = "hardwon"
LIMIT_VARIABLE = "HARDWON_LOAD_PLUGINS"
BOX = "hardwon"
KINDS = (
    "stores",
    "store_places",
    "trials",
    "embedders",
    "language_models",
    "generalizers",
    "review_queues",
    "readers",
    "catalogues",
    "harnesses",
    "timers",
    "redactors",
    "extractors",
    "hook_modules",
    "mounts",
    "actions",
)


@dataclass(frozen=True)
class Broken:
    """A plugin that would not load, and why."""

    name: str
    distribution: str
    reason: str


@dataclass
class Registry:
    """What plugins offer, by kind and name."""

    loaded: list[EntryPoint] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    left_out: list[EntryPoint] = field(default_factory=list)
    _offers: dict[str, dict[str, Any]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    _owners: dict[tuple[str, str], str] = field(default_factory=dict)

    def all(self, kind: str) -> Mapping[str, Any]:
        """Return everything of one kind, by name, in the order of registration."""
        return self._offers[kind]

    def get(self, kind: str, name: str) -> Any:
        """Return one offer. Raises PluginError that names what there is and what is broken."""
        try:
            return self._offers[kind][name]
        except KeyError:
            known = ", ".join(sorted(self._offers[kind])) or "none"
            broken = "".join(f" Plugin {each.name} is broken: {each.reason}" for each in self.broken)
            raise PluginError(
                f"No plugin offers “{name}” among the {kind.replace('_', ' ')} (there are: {known}); "
                f"install its plugin or change the setting.{broken}"
            ) from None

    def owner(self, kind: str, name: str) -> str:
        """Return the name of the plugin that offers it."""
        return self._owners[kind, name]

    def offer(self, kind: str, name: str, offer: Any, owner: str) -> None:
        """Take one offer in the name of `owner`. Raises PluginError when the name is taken."""
        self._require_free(kind, name, self._owners.get((kind, name)))
        self._offers[kind][name] = offer
        self._owners[kind, name] = owner

    def _require_free(self, kind: str, name: str, holder: str | None) -> None:
        if holder:
            raise PluginError(f"“{name}” among the {kind} is taken by plugin {holder}; rename or remove one.")

    def load(self, points: list[EntryPoint]) -> None:
        """Load plugins in order; what breaks is reported in `broken` and undone."""
        for point in points:
            try:
                module = importlib.import_module(point.module)
                plugin = getattr(module, point.attribute) if point.attribute else module
                self._take(point, plugin)
            except (Exception, SystemExit) as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                self.broken.append(Broken(point.name, point.distribution, reason))
            else:
                self.loaded.append(point)

    def _take(self, point: EntryPoint, plugin: Any) -> None:
        """Register all that a plugin offers, or nothing of it."""
        manager = pluggy.PluginManager(GROUP)
        manager.add_hookspecs(hookspecs)
        manager.register(plugin, name=point.name)
        manager.check_pending()
        taken: dict[tuple[str, str], Any] = {}
        for kind in KINDS:
            getattr(manager.hook, f"register_{kind}")(register=self._collector(point, kind, taken))
        for (kind, name), offer in taken.items():
            self.offer(kind, name, offer, point.name)

    def _collector(self, point: EntryPoint, kind: str, taken: dict[tuple[str, str], Any]) -> Callable[[str, Any], None]:
        def register(name: str, offer: Any) -> None:
            holder = point.name if (kind, name) in taken else self._owners.get((kind, name))
            self._require_free(kind, name, holder)
            taken[kind, name] = offer

        return register


def wanted_plugins() -> set[str] | None:
    """Return the names that the environment limits plugins to; None for no limit."""
    limit = os.environ.get(LIMIT_VARIABLE)
    return None if limit is None else {name.strip() for name in limit.split(",") if name.strip()}


@cache
def registry() -> Registry:
    """Return the registry of this process, loaded once."""
    result = Registry()
    wanted = wanted_plugins()
    points = sorted(installed_entry_points(GROUP), key=lambda point: (point.distribution != BOX, point.name))
    chosen = [point for point in points if wanted is None or point.distribution == BOX or point.name in wanted]
    result.left_out = [point for point in points if point not in chosen]
    result.load(chosen)
    return result
