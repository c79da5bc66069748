"""Whoever gives a command has a name, also where the system knows none."""

from __future__ import annotations

import getpass

import pytest

from hardwon.kernel.people import UNKNOWN, account_name


def test_a_person_is_called_as_their_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    assert account_name() == "ada"


@pytest.mark.parametrize("error", [KeyError("uid not found"), OSError("No username set"), ImportError("pwd")])
def test_an_account_without_a_name_stops_nothing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Each version of Python and each system says it in its own way."""

    def nameless() -> str:
        raise error

    monkeypatch.setattr(getpass, "getuser", nameless)
    assert account_name() == UNKNOWN
