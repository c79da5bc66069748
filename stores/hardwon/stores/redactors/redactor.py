"""The redactor `detect-secrets`: formats that the kernel knows, what detect-secrets finds, and random texts."""

from __future__ import annotations

from hardwon.kernel.ports import Redacted
from hardwon.kernel.secret_assignments import assigned
from hardwon.kernel.secrets import Secret, as_read, find_known, masked, settled
from hardwon.stores.redactors.harmless import NAMED, NOTHING, may_hold
from hardwon.stores.redactors.plugins import detected, named
from hardwon.stores.redactors.random_texts import random_texts


class DetectSecretsRedactor:
    """Takes secrets out of texts; holds nothing, so that any number of threads may share it."""

    @property
    def name(self) -> str:
        """Return the name by which the settings call it."""
        return "detect-secrets"

    def redact(self, text: str) -> Redacted:
        """Return the text with `[redacted: SORT]` in place of each secret; doing it twice changes nothing more."""
        sorts: list[str] = []
        while secrets := secrets_in(text):
            text = masked(text, secrets)
            sorts += [sort for _, _, sort in secrets]
        return Redacted(text, tuple(sorts))


def secrets_in(text: str) -> list[Secret]:
    """Return the secrets in a text, in order, none overlapping another."""
    return as_read(text, _secrets_in)


def _secrets_in(text: str) -> list[Secret]:
    kind = may_hold(text)
    if kind == NOTHING or (kind == NAMED and not any(assigned(text)) and not any(named(text))):
        return []
    return looked_through(text)


def looked_through(text: str) -> list[Secret]:
    """Return the secrets in a text by all rules, whatever it may hold."""
    return settled(text, [*find_known(text), *detected(text), *random_texts(text)])
