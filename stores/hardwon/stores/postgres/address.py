"""Where the server is, from the setting `postgres.url`: how to connect, and its name for messages, without secrets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from hardwon.kernel.settings import PostgresSettings

CONNECTING = 5
"""Seconds to wait for a server that does not answer at all, where the URL says nothing else."""
APPLICATION = "hardwon"
_URL = re.compile(r"postgres(?:ql)?://(?P<one_end>(?:[^@/]*@)?[^@]*$)?")
"""Whether a text is a URL, and whether its only `@` ends user and password where libpq looks for that end."""
_DEFAULTS: dict[str, Any] = {
    "connect_timeout": CONNECTING,
    "application_name": APPLICATION,
    "keepalives": 1,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""Of libpq; what the URL says itself goes first. By these the system finds within a minute that a network was cut."""


def parameters(settings: PostgresSettings) -> dict[str, Any]:
    """Return how to connect, as libpq's parameters.

    Raises InvalidInput for a URL that libpq cannot read, or would read otherwise than it was meant: of a password with
    `@` or `/` it takes a piece for the host or the database, which messages show.
    """
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    if not settings.url:
        raise InvalidInput(
            'The store `postgres` has no server; write `url = "postgresql://…"` under `[postgres]` of config.toml.'
        )
    url = _URL.match(settings.url)
    if url and url["one_end"] is None:
        raise InvalidInput(
            "The setting `postgres.url` has an `@` or a `/` in its user or password; write %40 for `@`, %2F for `/`."
        )
    try:
        given = conninfo_to_dict(settings.url)
    except psycopg.ProgrammingError:
        # The reason repeats the URL, which may hold a password.
        raise InvalidInput(
            "The setting `postgres.url` is no URL and no connection string of libpq; correct it."
        ) from None
    return _DEFAULTS | given


def name_of(given: dict[str, Any]) -> str:
    """Return what messages call the server: its host and database."""
    host = given.get("host") or given.get("hostaddr") or "this machine"
    port = f":{given['port']}" if given.get("port") else ""
    return f"The PostgreSQL server {host}{port}/{given.get('dbname') or given.get('user') or ''}"
