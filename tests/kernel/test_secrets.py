"""Secrets of known formats are found wherever they stand, by the standard library alone; everything else stays."""

from __future__ import annotations

import random
import string
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.kernel.secrets import MARK, find_known, mask_known, without_private
from hardwon.testing.planted_secrets import HEXADECIMAL, in_place, planted_secrets, spoken_of

PLANTED = planted_secrets()
SURROUNDINGS = (
    "{}",
    "use {} for staging",
    'KEY = "{}"',
    '{{"note": "{}", "at": 1}}',
    "https://acme.dev/?k={}&b=1",
    "密钥{}已经换了",
    "<b>{}</b>",
    "\\n{}\\t",
    "a\r\n{}\r\nb",
    "--flag={};",
)
NEAR_SECRETS = "abcXYZ019 \n.:=-_/\"'密码是[]redacted"
INNOCENT_WORDS = (
    *("the", "cache", "of", "a", "build", "was", "stale", "so", "pin", "it", "x", "=", "f(y)", "{", "}", "42", "v1.2"),
    *("缓存", "过期", "因此", "固定", "版本"),
)
PLACEHOLDERS = (
    "OPENAI_API_KEY=sk-...",
    "export TOKEN=YOUR_API_KEY",
    "password: ${DB_PASSWORD}",
    "password: <password>",
    "password: {{ vault.password }}",
    "api_key = os.environ['API_KEY']",
    "apiKey: import.meta.env.X",
    "token = request.headers['authorization']",
    "postgres://user:password@localhost/db",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${TOKEN}",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "ghp_" + "x" * 36,
    "sk-" + "your-key-here-0000000000",
    "password: ********",
    "secret = get_secret('db')",
    "password: str = Field(default='')",
    "the password is required; the token is wrong; the key is missing",
    "密码为空，令牌是必填项，密钥：无",
    "-----BEGIN PRIVATE" + " KEY----- begins such a file",
    "task-force, risk-aversion, disk-usage-monitor-daemon-2024",
    "sk-estimator-html-doc-link fitted",
    "hf_xet-1.8.0-cp38-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
    "git clone git@github.com:acme/shop.git && docker run -u 1000:1000 image@sha256:abc",
    "http://localhost:8080/a@b and mailto:ada@acme.dev",
)


@pytest.mark.parametrize("kind", PLANTED)
def test_each_format_is_masked_wherever_it_stands(kind: str) -> None:
    secret = PLANTED[kind]
    for surroundings in SURROUNDINGS:
        text = mask_known(surroundings.format(in_place(kind, secret)))
        assert not any(line in text for line in secret.split("\n")), surroundings


@pytest.mark.parametrize("kind", PLANTED)
def test_what_stands_around_a_secret_stays(kind: str) -> None:
    masked = mask_known(f"before it, {in_place(kind, PLANTED[kind])} and after it.")
    assert masked.startswith("before it, ")
    assert masked.endswith(" and after it.")


@pytest.mark.parametrize("kind", spoken_of())
def test_what_is_said_to_be_a_secret_is_masked(kind: str) -> None:
    text, secret = spoken_of()[kind]
    assert secret not in mask_known(text)


@pytest.mark.parametrize(
    "form",
    [
        "my password is {}",
        "password was {}, now it is another",
        "the password: `{}`",
        "pw: {}",
        "login with user ada and password {}",
        "PGPASSWORD={} psql -h db",
        "deploy --password {} --force",
        "docker login -u ada -p {} registry.acme.dev",
        "Server=db;Uid=sa;Pwd={};Encrypt=yes",
        "jdbc:mysql://db/shop?user=ada&password={}",
        "machine api.acme.dev login ada password {}",
        "kubectl create secret generic db --from-literal=password={}",
        "<password>{}</password>",
        "password\t{}",
        "| password | {} |",
        "Password → {}",
        "**Password:** {}",
        "password:{}",
        "const DB_PASS = '{}';",
        'password = r"{}"',
        "密码是 {}",
        "密码：“{}”",
        "密码「{}」",
        "口令: {}",
        "Password:\n  {}",
    ],
)
def test_the_ways_in_which_a_password_is_said(form: str) -> None:
    """None of them is lost, and what stands around it stays."""
    secret = "Tulip" + "-20#24x"
    masked = mask_known(form.format(secret))
    assert masked == form.format("[redacted: password]")


@pytest.mark.parametrize(
    "form",
    [
        "export ACME_TOKEN={}",
        '$env:API_KEY = "{}"',
        "x-api-key: {}",
        "const apiKey = `{}`",
        "clientSecret: '{}'",
        "os.environ['OPENAI_API_KEY'] = '{}'",
        "https://acme.dev/callback?access_token={}&state=1",
        "curl --token {} https://acme.dev",
        "headers['Authorization'] = 'Bearer {}'",
        "aws_secret_access_key = {}",
        "token:\n{}\n",
    ],
)
def test_the_ways_in_which_a_key_is_given(form: str) -> None:
    for seed in range(20):
        secret = "".join(random.Random(seed).choices(string.ascii_lowercase + string.digits, k=36))
        assert secret not in mask_known(form.format(secret)), seed


@pytest.mark.parametrize("kind", ["github-personal", "anthropic", "openai-project", "google-oauth", "npm", "vault"])
@pytest.mark.parametrize("at", [12, 20, 31])
@pytest.mark.parametrize("cut", ["\n", "\r\n", "\n            ", "\n\t", "\\\n  ", "\\\r\n\t"])
def test_a_key_that_a_line_break_cut_is_masked_whole(kind: str, at: int, cut: str) -> None:
    """As terminals, editors and shells wrap it; the word that follows on the next line stays."""
    secret = PLANTED[kind]
    wrapped = mask_known(f"key {secret[:at]}{cut}{secret[at:]}\nThen deploy it.")
    assert secret[at:] not in wrapped
    assert secret[:at] not in wrapped
    assert wrapped.endswith("\nThen deploy it.")
    assert mask_known(f"key {secret}\nThen deploy it.").endswith("]\nThen deploy it.")


@pytest.mark.parametrize("cut", ["\n", "\n            ", "\\\n  ", "\\\r\n\t"])
@pytest.mark.parametrize("at", [6, 10, 14])
def test_a_key_whose_halves_are_both_short_is_masked_whole(at: int, cut: str) -> None:
    secret = PLANTED["aws-access-key"]
    assert mask_known(f"令牌是{secret[:at]}{cut}{secret[at:]}，以后") == "令牌是[redacted: AWS access key]，以后"


def test_a_key_with_a_dot_in_it_is_masked_whole() -> None:
    """Half of a key is as good as a key to who guesses the rest."""
    dotted = "sk-sp-ABCDEFGH1234567890" + ".abcdefgh1234567890_XYZ"
    hexadecimal = "".join(random.Random(1).choices(HEXADECIMAL, k=32)) + ".ZpSh99aB"
    for key in (dotted, hexadecimal):
        assert not any(part in mask_known(f"api_key: {key}") for part in key.split("."))


def test_a_private_key_goes_whole_however_it_is_written() -> None:
    """In lines, in one line with escapes, quoted, and each half of one that was cut in the middle."""
    key = PLANTED["private-key"]
    first, *lines, last = key.split("\n")
    forms = [
        "\\n".join([first, *lines, last]),
        "\r\n".join([first, *lines, last]),
        "\n".join(f"> {line}" for line in [first, *lines, last]),
        "\n".join([first, *lines[:3]]) + "\n… cut …",
        "… cut …\n" + "\n".join([*lines[3:], last]),
        f'{{"private_key": "{chr(92)}n'.replace("\\n", "") + "\\n".join([first, *lines, last]) + '\\n"}',
    ]
    for form in forms:
        masked = mask_known(f"see\n{form}\nend")
        assert not any(line in masked for line in lines), form
        assert masked.endswith("end")


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_what_is_plainly_no_secret_stays(text: str) -> None:
    assert mask_known(text) == text


def test_overlapping_finds_are_one_mark() -> None:
    """The more exact sort is named."""
    text = f"export GITHUB_TOKEN={PLANTED['github-personal']}"
    assert mask_known(text) == "export GITHUB_TOKEN=[redacted: GitHub token]"
    assert [sort for _, _, sort in find_known(text)] == ["GitHub token"]


@settings(deadline=None)
@given(st.text(max_size=300))
def test_masking_never_fails_and_is_done_at_once(text: str) -> None:
    once = mask_known(text)
    assert mask_known(once) == once
    assert (once == text) == (find_known(text) == [])


@settings(deadline=None)
@given(st.text(alphabet=NEAR_SECRETS, max_size=200), st.sampled_from(sorted(PLANTED)), st.data())
def test_masking_among_anything_is_done_at_once(text: str, kind: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    once = mask_known(f"{text[:place]} {PLANTED[kind]} {text[place:]}")
    assert mask_known(once) == once


@settings(deadline=None)
@given(st.lists(st.sampled_from(INNOCENT_WORDS)))
def test_texts_without_secrets_are_the_same_byte_for_byte(words: list[str]) -> None:
    text = " ".join(words)
    assert mask_known(text) == text


def test_marks_are_no_secrets() -> None:
    text = (
        "password: [redacted: password], token=[redacted: GitHub token] https://ada:[redacted: password in a URL]@x.dev"
    )
    assert mask_known(text) == text
    assert mask_known(mask_known("password=[redacted: x]")) == "password=[redacted: x]"
    assert MARK.startswith(r"\[redacted: ")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("keep <private>not this</private> that", "keep  that"),
        ("keep <PRIVATE>not\nthis</Private>", "keep "),
        ("keep <private>not <private>nor</private> this</private> that", "keep  that"),
        ("keep <private>to the end", "keep "),
        ('keep <private reason="x">no</private> that', "keep  that"),
        ("a stray </private> closes nothing", "a stray </private> closes nothing"),
        ("split <pri<private>x</private>vate> tags", "split "),
        ("<privateer> and private are words", "<privateer> and private are words"),
        ("", ""),
    ],
)
def test_private_spans_are_dropped(text: str, left: str) -> None:
    assert without_private(text) == left


@given(st.text(alphabet="a <>/privateE\n", max_size=100))
def test_dropping_private_spans_is_done_at_once(text: str) -> None:
    once = without_private(text)
    assert without_private(once) == once


def test_the_hook_program_can_carry_it() -> None:
    """Nothing beyond `re` and what comes with it is imported."""
    code = (
        "import sys, re, collections.abc; before = set(sys.modules);"
        "import hardwon.kernel.secrets as s; s.mask_known('password = hunter2');"
        "new = {each for each in set(sys.modules) - before if not each.startswith('hardwon')};"
        "assert not new - {'__future__'}, new"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("value", "is_one"),
    [("nXlqUvZKfwQtGa", True), ("QwZrTkPlMnBx", True), ("passwordFromEnv", False), ("hunterofbears", False),
     ("getUserSettings", False), ("bcryptHashed", False)],
)  # fmt: skip
def test_a_password_of_letters_alone_shows_by_their_order_that_it_is_one(value: str, is_one: bool) -> None:
    """Without quotation marks a word is more often prose or code."""
    assert (value not in mask_known(f"remember: password: {value} for it")) is is_one
