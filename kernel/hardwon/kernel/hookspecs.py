"""The hooks a plugin may implement. Each hands over a `register` callable: the host never inspects what came back.

A plugin is a module (or object) found by an entry point of the group `hardwon`, with functions of these names marked
`@hardwon.kernel.hookspecs.hookimpl`. The registry records who registered what, and says both names on a clash.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pluggy

hookspec = pluggy.HookspecMarker("hardwon")
hookimpl = pluggy.HookimplMarker("hardwon")

Register = Callable[[str, Any], None]


@hookspec
def register_stores(register: Register) -> None:
    """Offer a store: `register(name, factory)`, where `factory(home) -> Storage`."""


@hookspec
def register_trials(register: Register) -> None:
    """Offer a store to be tried where nothing is set up for it: `register(store, trial)`.

    `trial(folder)` is a context manager that yields the settings (by table and name) under which it works, and leaves
    nothing running and nothing outside of the folder. A store that needs nothing offers none.
    """


@hookspec
def register_store_places(register: Register) -> None:
    """Tell where a store keeps its truth: `register(store, patterns)`, of names in a home, the first without `*`."""


@hookspec
def register_embedders(register: Register) -> None:
    """Offer an embedder: `register(name, factory)`, where `factory(settings) -> Embedder` may raise Unavailable."""


@hookspec
def register_language_models(register: Register) -> None:
    """Offer a language model: `register(name, factory)`, where `factory(settings) -> LanguageModel`."""


@hookspec
def register_generalizers(register: Register) -> None:
    """Offer a generalizer: `register(name, factory)`, where `factory(home) -> Generalizer`."""


@hookspec
def register_review_queues(register: Register) -> None:
    """Offer a review queue: `register(name, factory)`, where `factory(home) -> ReviewQueue`."""


@hookspec
def register_readers(register: Register) -> None:
    """Offer a reader of lesson files: `register(name, reader)`, where `reader` is a LessonReader."""


@hookspec
def register_catalogues(register: Register) -> None:
    """Offer causes of trouble: `register(name, path)`, where `path` is a TOML file or a folder of them."""


@hookspec
def register_harnesses(register: Register) -> None:
    """Offer a coding agent: `register(name, adapter)`, where `adapter` is a HarnessAdapter."""


@hookspec
def register_timers(register: Register) -> None:
    """Offer what starts due runs on this system: `register(name, factory)`, where `factory() -> Timer`."""


@hookspec
def register_redactors(register: Register) -> None:
    """Offer a detector of secrets: `register(name, factory)`, where `factory(settings) -> Redactor`."""


@hookspec
def register_extractors(register: Register) -> None:
    """Offer what finds lessons in sessions: `register(name, factory)`, where `factory(home) -> Extractor`."""


@hookspec
def register_hook_modules(register: Register) -> None:
    """Offer a store's half of the hook program: `register(store, modules)`, names of stdlib-only modules in order."""


@hookspec
def register_mounts(register: Register) -> None:
    """Offer what reads mounted folders: `register(name, factory)`, where `factory(home) -> MountedNotes`."""


@hookspec
def register_actions(register: Register) -> None:
    """Offer something a user can do: `register("review accept", action)`, where `action` is an actions.Action."""
