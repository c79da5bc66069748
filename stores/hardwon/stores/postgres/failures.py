"""What a server or the way to it may do to a statement, in our words; and what may be tried again.

Never shown: the connection string, which may hold a password.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from hardwon.kernel.errors import HardwonError, InvalidInput, StoreBusy, StoreError
from hardwon.stores.postgres.refusal import refusal
from hardwon.stores.postgres.server_away import ServerAway

_WAIT_A_MOMENT = (errors.CannotConnectNow, errors.TooManyConnections)
_UNDONE = (errors.SerializationFailure, errors.DeadlockDetected)
_LOST = (
    errors.AdminShutdown,
    errors.ConnectionException,
    errors.CrashShutdown,
    errors.IdleInTransactionSessionTimeout,
    errors.IdleSessionTimeout,
)


class NoAnswer(psycopg.OperationalError):
    """Nothing came back in time, though the connection seems to stand: it was closed here."""


class TooSlow(StoreError):
    """The server gave up a statement at its time-out."""


def is_undone(error: BaseException) -> bool:
    """Tell whether the server took a transaction back because of another one: the same may work now."""
    return isinstance(error, _UNDONE)


def is_lost(error: BaseException) -> bool:
    """Tell whether the connection ended, by the server or on the way; not whether an answer came too late."""
    if isinstance(error, NoAnswer | errors.QueryCanceled):
        return False
    if isinstance(error, _LOST):
        return True
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and error.sqlstate is None


def is_starting(error: BaseException) -> bool:
    """Tell whether the server will take connections in a moment: it starts, recovers, or has none left."""
    return isinstance(error, _WAIT_A_MOMENT) or "the database system is" in str(error)


def told(error: psycopg.Error, server: str) -> HardwonError:
    """Return an error of the driver in our words."""
    refused = refusal(error, server)
    if refused is not None:
        return refused
    why = _first_line(error)
    match error:
        case NoAnswer():
            return StoreError(f"{server} did not answer in time; nothing is known of what it did: look, then repeat.")
        case errors.LockNotAvailable():
            return StoreBusy(f"Somebody else is writing to {server} for too long; try again in a moment.")
        case errors.SerializationFailure() | errors.DeadlockDetected():
            return StoreBusy(f"{server} took this back because of another writer; repeat the command.")
        case errors.QueryCanceled():
            return TooSlow(f"{server} gave up a statement that took too long; raise `postgres.statement_timeout`.")
        case errors.InvalidPassword() | errors.InvalidAuthorizationSpecification():
            return StoreError(f"{server} refuses this user ({why}); correct `postgres.url` or `~/.pgpass`.")
        case errors.InsufficientPrivilege():
            return StoreError(f"{server} does not permit that ({why}); ask its owner for the right.")
        case errors.ReadOnlySqlTransaction():
            return StoreError(f"{server} is read-only, as a replica is; name the primary server in `postgres.url`.")
        case errors.DiskFull() | errors.OutOfMemory():
            return StoreError(f"{server} has no room left ({why}); make room there, nothing was written.")
        case errors.TooManyConnections():
            return StoreBusy(f"{server} has no connection left ({why}); lower `postgres.connections`.")
        case errors.UndefinedFile() | errors.FeatureNotSupported() if "vector" in why:
            return StoreError(f"{server} lacks the extension pgvector; install it there, version 0.8 or newer.")
        case errors.UndefinedTable() | errors.InvalidSchemaName() | errors.UndefinedColumn():
            return StoreError(f"The tables in {server} are not as they were left ({why}); restore a backup.")
        case psycopg.DataError() | errors.ProgramLimitExceeded():
            return InvalidInput(f"{server} cannot keep a value of this ({why}); change it.")
        case _ if is_lost(error) or isinstance(error, psycopg.OperationalError):
            return ServerAway(f"{server} cannot be reached ({why}); start it, or correct `postgres.url`.")
        case _:
            return StoreError(f"{server} answered with an error ({why}); run `hardwon doctor`.")


@contextmanager
def in_our_words(server: str) -> Iterator[None]:
    """Turn every error of the driver inside into one of ours."""
    try:
        yield
    except psycopg.Error as error:
        raise told(error, server) from None


def _first_line(error: psycopg.Error) -> str:
    said = error.diag.message_primary or str(error)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".:")[:200]
