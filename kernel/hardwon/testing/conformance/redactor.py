"""RedactorConformance: secrets go, whatever stands around them; everything else stays as it is."""

from __future__ import annotations

import threading

import pytest

from hardwon.kernel.ports import Redactor
from hardwon.testing.planted_secrets import in_place, planted_secrets, spoken_of

SURROUNDINGS = (
    "{}",
    "The key {} works; keep it.",
    'client = Client("{}")',
    '{{"key_file": null, "value": "{}"}}',
    "https://acme.dev/hooks?k={}&page=2",
    "测试环境用{}就可以。",
    "first line\n{}\nlast line",
    "\\n{}\\n",
    "- `{}`: see [[deploy]]",
)
INNOCENT = (
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "session 123e4567-e89b-12d3-a456-426614174000 ended",
    "memory 01ARZ3NDEKTSV4RRFFQ69G5FAV and 01m8nf329kf0bt82ys",
    '"integrity": "sha512-z6CJ1cGGWC0kXfPQ1bB0b0Ugl5nC6nN8kqjG4zC1gFz1V7tPnUeYx3pBq0X1m2n3oL9yWwq5rT6uI8oP0aSdFg=="',
    "src/components/UserProfileSettingsPage/hooks/useUserProfileSettings.test.tsx",
    "getServerSidePropsWithAuthenticationRequired and AbstractSingletonProxyFactoryBean",
    "![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)",
    "apiKey: import.meta.env.VITE_API_KEY, password: process.env.DB_PASSWORD",
    "OPENAI_API_KEY=sk-... and GITHUB_TOKEN=<your token> and password=${DB_PASSWORD}",
    "AKIA" + "IOSFODNN7EXAMPLE is what the documentation has",
    "max_tokens=4096, token_count: 12345678, tokenizer = 'bert-base-uncased'",
    "密码不能为空；令牌过期后请重新登录。把密钥放进环境变量里。",
    "The password field is required; a token bucket limits the rate; press any key: nothing happens.",
    "def login(password: str, token: str | None = None) -> Session: ...",
)


class RedactorConformance:
    """What every Redactor promises. Give the fixture `redactor`."""

    @pytest.fixture
    def redactor(self) -> Redactor:
        """Return the redactor; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `redactor`.")

    def test_it_has_a_name(self, redactor: Redactor) -> None:
        """The settings call it by that."""
        assert redactor.name

    @pytest.mark.parametrize("kind", planted_secrets())
    def test_a_secret_of_known_format_goes_wherever_it_stands(self, redactor: Redactor, kind: str) -> None:
        """Whole, so that no line of it is left; its sort is named, and a mark shows the place."""
        secret = planted_secrets()[kind]
        for surroundings in SURROUNDINGS:
            result = redactor.redact(surroundings.format(in_place(kind, secret)))
            assert not any(line in result.text for line in secret.split("\n")), surroundings
            assert result.found
            assert f"[redacted: {result.found[0]}]" in result.text
            assert not any(secret in sort for sort in result.found)

    @pytest.mark.parametrize("kind", spoken_of())
    def test_what_is_said_to_be_a_secret_goes(self, redactor: Redactor, kind: str) -> None:
        """By the name it is given, in code, headers, addresses, prose, English and Chinese."""
        text, secret = spoken_of()[kind]
        result = redactor.redact(text)
        assert secret not in result.text
        before, after = text.split(secret)
        assert result.text.startswith(before)
        assert result.text.endswith(after)

    @pytest.mark.parametrize("text", INNOCENT)
    def test_what_is_no_secret_stays(self, redactor: Redactor, text: str) -> None:
        """Hashes, identifiers, paths, names, pictures, placeholders and sentences about secrets."""
        assert redactor.redact(text).text == text
        assert redactor.redact(text).found == ()

    def test_twice_changes_nothing_more(self, redactor: Redactor) -> None:
        """A mark is no secret, nor is what stands beside one."""
        texts = [text for text, _ in spoken_of().values()]
        texts += [each.format(secret) for each in SURROUNDINGS for secret in planted_secrets().values()]
        for text in (*texts, "\n".join(texts)):
            once = redactor.redact(text)
            again = redactor.redact(once.text)
            assert again.text == once.text
            assert again.found == ()

    def test_any_text_can_be_redacted(self, redactor: Redactor) -> None:
        """An empty one, one of odd characters, and a line of a megabyte."""
        for text in (
            "",
            "\0",
            "\ud800",
            "İ password: İ",
            "a" * 1_000_000,
            "[redacted: key]",
            "-----BEGIN PRIVATE KEY-----",
        ):
            assert redactor.redact(text).text == text

    def test_threads_share_it(self, redactor: Redactor) -> None:
        """Each gets the answer to its own text."""
        secrets = planted_secrets()
        alone = {kind: redactor.redact(f"see {secret}").text for kind, secret in secrets.items()}
        together: dict[str, set[str]] = {kind: set() for kind in secrets}

        def run() -> None:
            for kind, secret in secrets.items():
                together[kind].add(redactor.redact(f"see {secret}").text)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert together == {kind: {text} for kind, text in alone.items()}
