"""Whether a connection was refused for good: by a server that answered, or by libpq, which cannot take an option.

A server that is away may come back, and the home's copy answers until then; a wrong name in `postgres.url` stays wrong
until somebody corrects it. psycopg loses the code of an error of connecting, so that its text has to tell them apart.
"""

from __future__ import annotations

import re

import psycopg

from hardwon.kernel.errors import HardwonError, InvalidInput, StoreError

_ANSWER = re.compile(r"failed: (?:[^\s:]+:  |fe_sendauth: )(\S.*)")
"""What a server says in whatever language: libpq puts a severity and two spaces before it. Or libpq has no password."""
_FOR_NOW = re.compile(
    r"the database system is|too many|connection slots|not currently accepting|terminating connection"
)
"""Words of a server that takes the connection at another time."""
_OPTION = re.compile(r"connection is bad: (?!connection to server)|for connection option|bad value for|could not match")
_VALUE = re.compile(r"""((?:value|number)(?: for \w+)?):? ["'].*?["'](?=\s|$)""")


def refusal(error: psycopg.Error, server: str) -> HardwonError | None:
    """Return in our words why no connection can be made until `postgres.url` is corrected; None for other errors."""
    if error.sqlstate is not None or not isinstance(error, psycopg.OperationalError | psycopg.ProgrammingError):
        return None
    text = str(error)
    answer = _ANSWER.search(text)
    if answer is not None:
        if _FOR_NOW.search(text):
            return None
        return StoreError(
            f"{server} refuses the connection ({_sentence(answer[1])}); correct `postgres.url` or `~/.pgpass`."
        )
    line = next((line for line in text.splitlines() if _OPTION.search(line)), None)
    if line is None:
        return None
    # Without the value, which in a URL that is not read as it was meant may be a piece of the password.
    why = _VALUE.sub(r"\1", line.rpartition("connection is bad: ")[2])
    return InvalidInput(f"libpq cannot take the setting `postgres.url` ({_sentence(why)}); correct it.")


def _sentence(text: str) -> str:
    return text.strip().rstrip(".:")[:200]
