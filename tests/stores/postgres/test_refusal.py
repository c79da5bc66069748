"""A connection that is refused for good is told as what it is: the setting is to be corrected, no server started."""

from __future__ import annotations

import psycopg
import pytest

from hardwon.kernel.errors import InvalidInput, StoreError
from hardwon.kernel.settings import PostgresSettings
from hardwon.stores.postgres.failures import told
from hardwon.stores.postgres.server_away import ServerAway
from hardwon.stores.postgres.storage import PostgresStorage, open_postgres

from .conftest import OpenHome


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("dbname=nowhere", 'database "nowhere" does not exist'),
        ("user=nobody_here", 'role "nobody_here" does not exist'),
        ("options='-c nonsense=1'", 'unrecognized configuration parameter "nonsense"'),
    ],
)
def test_a_server_that_answers_is_not_away(
    open_home: OpenHome, postgres: PostgresSettings, wrong: str, said: str
) -> None:
    """What it says is told; the home's copy does not step in for a name that is wrong, and nobody waits."""
    home = open_home("home", postgres)
    storage = PostgresStorage(home)
    storage.refresh_replica()
    storage.close()
    settings = postgres.model_copy(update={"url": f"{postgres.url} {wrong}"})
    with pytest.raises(StoreError, match=r"refuses the connection .*correct `postgres\.url`") as raised:
        open_postgres(open_home("home", settings))
    assert said in str(raised.value)
    assert "start it" not in str(raised.value)


@pytest.mark.parametrize(
    "option", ["port=hunter2", "port=99999", "sslmode=hunter2", "connect_timeout=hunter2", "host=a,b port=1,2,3"]
)
def test_an_option_that_is_none(open_home: OpenHome, option: str) -> None:
    """It is the setting that is wrong, and no server; its value is not told, which may be of a password."""
    settings = PostgresSettings(url=f"host=127.0.0.1 dbname=none {option}")
    with pytest.raises(InvalidInput, match=r"`postgres\.url` .*correct it") as raised:
        open_postgres(open_home("home", settings))
    assert "hunter2" not in str(raised.value)


def test_a_password_that_is_missing() -> None:
    """The library says it, before the server does."""
    failed = 'connection failed: connection to server at "db", port 5432 failed: fe_sendauth: no password supplied'
    said = str(told(psycopg.OperationalError(failed), "The server"))
    assert "(no password supplied); correct `postgres.url` or `~/.pgpass`" in said


def test_of_several_addresses_the_one_that_answers_counts() -> None:
    """As of `localhost`, where a server often listens to one of two."""
    failed = (
        'connection failed: connection to server at "::1", port 5432 failed: Connection refused\n'
        "Multiple connection attempts failed. All failures were:\n"
        "- host: 'localhost': connection failed: connection to server at \"127.0.0.1\", port 5432 failed: "
        '致命错误:  数据库 "nowhere" 不存在'
    )
    assert '(数据库 "nowhere" 不存在)' in str(told(psycopg.OperationalError(failed), "The server"))


@pytest.mark.parametrize("said", ["sorry, too many clients already", "the database system is starting up"])
def test_a_server_that_takes_nobody_now_is_away(said: str) -> None:
    """It will take the same connection at another time."""
    failed = f'connection failed: connection to server at "127.0.0.1", port 5432 failed: FATAL:  {said}'
    assert isinstance(told(psycopg.OperationalError(failed), "The server"), ServerAway)
