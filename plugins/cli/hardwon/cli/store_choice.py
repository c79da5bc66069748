"""The store of a new memory, written into its settings before it is opened for the first time.

Where the store cannot be opened, as for want of a server, the folder is left as it was: the command may be given again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import VERSION_FILE, Home
from hardwon.kernel.regular_file import read_regular

if TYPE_CHECKING:
    from pathlib import Path


@contextlib.contextmanager
def chosen_store(home: Home, store: str, url: str) -> Iterator[None]:
    """Let the settings name a store while a memory is made, and ever after if that succeeds.

    Raises UsageError where the memory is there already and in another place, PluginError for a store that nobody has.
    """
    values = _changes(home, store, url)
    if not values:
        yield
        return
    if home.exists:
        raise UsageError(_refusal(home, store))
    with contextlib.ExitStack() as undo:
        undo.callback(_take_back, home, read_regular(_file(home)) if _file(home).exists() else None)
        _write(home, values)
        yield
        undo.pop_all()


def _changes(home: Home, store: str, url: str) -> dict[tuple[str, ...], str]:
    """Return what the settings do not say yet of a store and its URL, which may be empty."""
    from hardwon.kernel.settings import load_settings
    from hardwon.kernel.use_cases.moving.address import address_setting, refuse_address

    store = store or ("postgres" if url else "")
    if not store:
        return {}
    home.registry.get("stores", store)
    refuse_address(home.registry, store, url)
    known = load_settings(home.path)
    values: dict[tuple[str, ...], str] = {("store",): store} if store != known.store else {}
    if url and (store != "postgres" or url != known.postgres.url):
        values[address_setting(store)] = url
    return values


def _refusal(home: Home, store: str) -> str:
    from hardwon.kernel.settings import load_settings

    store, kept = store or "postgres", load_settings(home.path).store
    if store == kept:
        return f"{home.path} is kept by {kept} already; if its server moved, change the URL in {_file(home)}."
    return f"{home.path} is kept by the store {kept}; `hardwon migrate --to {store}` moves it."


def _file(home: Home) -> Path:
    """Return the file of the settings; a link into a folder of dotfiles is followed."""
    from hardwon.kernel.settings import FILE_NAME

    return (home.path / FILE_NAME).resolve()


def _write(home: Home, values: dict[tuple[str, ...], str]) -> None:
    from hardwon.kernel.use_cases.moving.settings_text import set_values

    home.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    set_values(home.path, values)


def _take_back(home: Home, settings: bytes | None) -> None:
    """Leave a folder in which no memory could be made as it was, but for folders above it."""
    (home.path / VERSION_FILE).unlink(missing_ok=True)
    if settings is not None:
        _file(home).write_bytes(settings)
        return
    _file(home).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # Something else lies in it.
        home.path.rmdir()
