"""What the stores bring to hardwon: the files store, its actions, and the embedders (each opened on first use)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardwon.kernel.hookspecs import Register, hookimpl

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import MountedNotes, Redactor, Storage
    from hardwon.kernel.settings import Settings


def _open_files(home: Home) -> Storage:
    from hardwon.stores.files.storage import open_files

    return open_files(home)


def _open_sqlite(home: Home) -> Storage:
    from hardwon.stores.sqlite.storage import open_sqlite

    return open_sqlite(home)


def _open_postgres(home: Home) -> Storage:
    from hardwon.stores.postgres.storage import open_postgres

    return open_postgres(home)


@hookimpl
def register_stores(register: Register) -> None:
    """Offer the stores of the box, each opened on first use."""
    register("files", _open_files)
    register("sqlite", _open_sqlite)
    register("postgres", _open_postgres)


@hookimpl
def register_store_places(register: Register) -> None:
    """Tell which files of a home are those of a store; the first is there as soon as it keeps something."""
    register("files", ("memory", "activity", "index*", "git-index.behind", "intent.json"))
    register("sqlite", ("memory.sqlite", "memory.sqlite-*", "memory.sqlite.*"))


def _try_postgres(folder: Path) -> AbstractContextManager[Mapping[str, Any]]:
    from hardwon.stores.postgres.trial import trial

    return trial(folder)


@hookimpl
def register_trials(register: Register) -> None:
    """Offer a server for a trial; the other stores need nothing."""
    register("postgres", _try_postgres)


@hookimpl
def register_embedders(register: Register) -> None:
    """Offer the embedders of the box."""
    from hardwon.stores.embedders import embedders

    for name, opener in embedders().items():
        register(name, opener)


def _open_detect_secrets(settings: Settings) -> Redactor:
    from hardwon.stores.redactors.redactor import DetectSecretsRedactor

    return DetectSecretsRedactor()


@hookimpl
def register_redactors(register: Register) -> None:
    """Offer the detector of secrets of the box."""
    register("detect-secrets", _open_detect_secrets)


@hookimpl
def register_hook_modules(register: Register) -> None:
    """Offer the stores' halves of the hook program; the modules that each imports come with it."""
    register("files", ("hardwon.stores.files.hook_reading",))
    register("sqlite", ("hardwon.stores.sqlite.hook_reading",))
    register("postgres", ("hardwon.stores.postgres.hook_reading",))
    register("mounts", ("hardwon.stores.mounts.hook_reading",))


def _open_mounts(home: Home) -> MountedNotes:
    from hardwon.stores.mounts.notes import Notes

    return Notes(home)


@hookimpl
def register_mounts(register: Register) -> None:
    """Offer what reads mounted folders of Markdown."""
    register("markdown", _open_mounts)


@hookimpl
def register_actions(register: Register) -> None:
    """Offer what a user can do with a store as such."""
    from hardwon.stores.actions import REINDEX
    from hardwon.stores.mounts.actions import MOUNT

    register("reindex", REINDEX)
    register("mount", MOUNT)
