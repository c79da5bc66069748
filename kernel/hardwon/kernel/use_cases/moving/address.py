"""Where a store lies that is not in the home: the setting that says so, and what may stand there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hardwon.kernel.errors import UsageError
from hardwon.kernel.settings import Settings

if TYPE_CHECKING:
    from hardwon.kernel.registry import Registry

_PASSWORD = re.compile(r"(?:^|[\s?&])(?:ssl)?password\s*=", re.IGNORECASE)
"""A password in the query of a URL, or among libpq's `name=value` pairs."""


def address_setting(store: str) -> tuple[str, ...]:
    """Return the setting that says where a store lies that is not in the home."""
    return (store, "url") if store in Settings.model_fields else ("plugins", store, "url")


def refuse_address(registry: Registry, store: str, address: str) -> None:
    """Raise UsageError for an address with a password, and for one of a store that lies in the home."""
    if address and store in registry.all("store_places"):
        raise UsageError(f"The store {store} lies in the home and has no URL; leave it out.")
    try:
        password = urlsplit(address).password
    except ValueError as error:
        raise UsageError(f"That is no URL ({error}); write it as postgresql://host/database.") from None
    if password or _PASSWORD.search(address):
        raise UsageError("A password does not belong into the settings; keep it in ~/.pgpass or PGPASSWORD.")
