"""The detector of the box finds what has no format either, and leaves everything else byte for byte."""

from __future__ import annotations

import random
import socket
import string
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.kernel.ids import new_id
from hardwon.stores.redactors.redactor import DetectSecretsRedactor
from hardwon.testing.conformance import RedactorConformance
from hardwon.testing.planted_secrets import planted_secrets, spoken_of

ROOT = Path(__file__).parents[3]
SECRETS = (*planted_secrets().values(), *(text for text, _ in spoken_of().values()))


def some(letters: str, count: int, seed: int) -> str:
    chance = random.Random(seed)
    return "".join(chance.choice(letters) for _ in range(count))


@pytest.fixture
def redactor() -> DetectSecretsRedactor:
    return DetectSecretsRedactor()


class TestDetectSecrets(RedactorConformance):
    @pytest.fixture
    def redactor(self) -> DetectSecretsRedactor:
        return DetectSecretsRedactor()


@pytest.mark.parametrize("seed", range(20))
def test_a_random_key_without_a_format_goes(redactor: DetectSecretsRedactor, seed: int) -> None:
    """Where nothing is said of it, if it mixes capitals, small letters and digits."""
    key = some(string.ascii_letters + string.digits, 40, seed)
    assert key not in redactor.redact(f"here it is, keep it safe: {key}\n").text


@pytest.mark.parametrize("seed", range(20))
def test_a_hexadecimal_key_goes_where_the_line_speaks_of_one(redactor: DetectSecretsRedactor, seed: int) -> None:
    """And stays where it speaks of a hash: the same characters are one or the other."""
    value = some("0123456789abcdef", 40, seed)
    assert value not in redactor.redact(f"their secret for the staging account was {value} until May").text
    assert redactor.redact(f"the token refresh broke in commit {value}").text.endswith(value)
    assert redactor.redact(f"the archive is {value}").text.endswith(value)


def test_a_link_to_a_memory_is_no_key_whatever_its_name_speaks_of(redactor: DetectSecretsRedactor) -> None:
    """Names of files end with an id of random letters and digits; a key beside such a link goes."""
    for _ in range(100):
        id = new_id(datetime(2026, 3, 1, tzinfo=UTC))
        for title in ("use-the-token", "send-a-key-with-every-retry", "密钥-要轮换"):
            text = f"- [[{title}-{id}|Use the secret key]] and `[[{title}-{id}#part]]`, an API key"
            assert redactor.redact(text).text == text
    key = some(string.ascii_letters + string.digits, 40, 1)
    assert key not in redactor.redact(f"[[use-the-token-{id}]] the secret key is {key}").text
    assert key not in redactor.redact(f"the secret key is [[{key}]]").text


def test_what_detect_secrets_alone_knows_goes(redactor: DetectSecretsRedactor) -> None:
    """A word in quotation marks that is called a secret; keys of Mailchimp."""
    mailchimp = some("0123456789abcdef", 32, 1) + "-us12"
    text = redactor.redact(f'app_secret = "correcthorsebattery"\nmc {mailchimp}\n').text
    assert "correcthorse" not in text
    assert mailchimp not in text


def test_no_network_is_touched(redactor: DetectSecretsRedactor, monkeypatch: pytest.MonkeyPatch) -> None:
    """detect-secrets can ask services whether a secret is valid; here it never does."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was asked for")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    for secret in SECRETS:
        redactor.redact(secret)


def test_the_settings_of_detect_secrets_stay_as_they_were(redactor: DetectSecretsRedactor) -> None:
    """They belong to the whole process, and somebody else may use the library in it."""
    from detect_secrets.settings import get_settings

    before = get_settings().json()
    for secret in SECRETS:
        redactor.redact(secret)
    assert get_settings().json() == before


def test_a_plain_text_loads_no_library() -> None:
    """A sentence that is remembered waits for no import of detect-secrets."""
    code = (
        "import sys; from hardwon.stores.redactors.redactor import DetectSecretsRedactor;"
        "DetectSecretsRedactor().redact('Write beside the old file, flush, rename. 先写临时文件再改名。');"
        "assert 'detect_secrets' not in sys.modules and 'requests' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_texts_of_this_repository_stay(redactor: DetectSecretsRedactor) -> None:
    """Documentation, catalogues and lessons of real projects: whatever is taken out of them would be a mistake."""
    for path in sorted([*ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/data/lesson_files/**/*.md"), ROOT / "uv.lock"]):
        text = path.read_text(encoding="utf-8")
        assert redactor.redact(text).text == text, path


@settings(deadline=None)
@given(st.text(max_size=400))
def test_redacting_never_fails_and_is_done_at_once(text: str) -> None:
    redactor = DetectSecretsRedactor()
    once = redactor.redact(text)
    assert redactor.redact(once.text).text == once.text
    assert (once.text == text) == (once.found == ())


@settings(deadline=None)
@given(st.lists(st.one_of(st.sampled_from(SECRETS), st.text(max_size=30), st.sampled_from(["\n", "=", '"', ": "]))))
def test_secrets_among_anything_are_done_at_once(parts: list[str]) -> None:
    redactor = DetectSecretsRedactor()
    once = redactor.redact("".join(parts)).text
    assert redactor.redact(once).text == once
