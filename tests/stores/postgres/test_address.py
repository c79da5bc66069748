"""Where the server is: how `postgres.url` is read, and that no message shows a piece of a password."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardwon.kernel.errors import HardwonError, InvalidInput
from hardwon.kernel.settings import PostgresSettings
from hardwon.stores.postgres.address import name_of, parameters
from hardwon.stores.postgres.connections import Connections

PIECE = "kauri"
PASSWORDS = st.lists(
    st.sampled_from([PIECE, "@", ":", "/", "?", "#", "%", "%4", "%41", "&", "=", "[", "]", "'", "\\", " ", "7", "密"])
).map(lambda pieces: f"{PIECE}{''.join(pieces)}{PIECE}")
NOBODY = "127.0.0.1:1"
"""Where no server listens."""


def shown(url: str) -> str:
    """Return all that is said of a URL: what the server is called, and why there is no connection."""
    try:
        connections = Connections(PostgresSettings(url=url), lambda _: None)
    except InvalidInput as error:
        return str(error)
    with pytest.raises(HardwonError) as raised, connections.lent():
        pass
    return f"{connections.server} {raised.value}"


@given(PASSWORDS)
@example(f"{PIECE}@{PIECE}/{PIECE}")
@example(f"7/{PIECE}?user={PIECE}")
def test_no_piece_of_a_password_is_shown(password: str) -> None:
    """However it is written into the URL, and wherever libpq takes its end for."""
    for url in (
        f"postgresql://user:{password}@{NOBODY}/team",
        f"postgres://{password}@{NOBODY}/team",
        f"postgresql://{NOBODY}/team?password={password}",
        f"host=127.0.0.1 port=1 password={password}",
    ):
        assert PIECE not in shown(url)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20))
def test_any_password_can_be_written(password: str) -> None:
    """With percent signs, as every other URL has it."""
    given = parameters(PostgresSettings(url=f"postgresql://user:{quote(password, safe='')}@db.example:5433/team"))
    assert given.get("password", "") == password
    assert name_of(given) == "The PostgreSQL server db.example:5433/team"


@pytest.mark.parametrize("url", ["postgresql://user:a/b@db/team", "postgresql://user:a@b@db/team"])
def test_what_libpq_would_read_otherwise(url: str) -> None:
    """It is refused before anybody is asked, with what to write."""
    with pytest.raises(InvalidInput, match="write %40 for `@`, %2F for `/`"):
        parameters(PostgresSettings(url=url))
