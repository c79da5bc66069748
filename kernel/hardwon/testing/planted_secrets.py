"""Secrets of many kinds that open nothing, made when a test runs: scanners of repositories find none in the source."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Mapping

SMALL = string.ascii_lowercase + string.digits
LARGE = string.ascii_uppercase + string.digits
ALL = string.ascii_letters + string.digits
HEXADECIMAL = "0123456789abcdef"

PREFIXED: Mapping[str, tuple[str, str, int]] = {
    # kind: what it begins with, of which characters it goes on, how many
    "aws-access-key": ("AKIA", LARGE, 16),
    "aws-session-key": ("ASIA", LARGE, 16),
    "github-personal": ("ghp_", ALL, 36),
    "github-oauth": ("gho_", ALL, 36),
    "github-server": ("ghs_", ALL, 36),
    "github-fine-grained": ("github_pat_", ALL, 82),
    "gitlab": ("glpat-", ALL, 20),
    "stripe-live": ("sk_live_", ALL, 24),
    "stripe-restricted": ("rk_live_", ALL, 24),
    "stripe-webhook": ("whsec_", ALL, 32),
    "openai": ("sk-", ALL, 48),
    "openai-project": ("sk-proj-", ALL, 64),
    "anthropic": ("sk-ant-api03-", ALL, 93),
    "google-api": ("AIza", ALL, 35),
    "google-oauth": ("ya29.", ALL, 68),
    "google-client": ("GOCSPX-", ALL, 28),
    "npm": ("npm_", ALL, 36),
    "pypi": ("pypi-AgEIcHlwaS5vcmc", ALL, 80),
    "docker": ("dckr_pat_", ALL, 27),
    "hugging-face": ("hf_", ALL, 34),
    "twilio": ("SK", HEXADECIMAL, 32),
    "mailgun": ("key-", HEXADECIMAL, 32),
    "digitalocean": ("dop_v1_", HEXADECIMAL, 64),
    "databricks": ("dapi", HEXADECIMAL, 32),
    "shopify": ("shpat_", HEXADECIMAL, 32),
    "square": ("sq0atp-", ALL, 22),
    "linear": ("lin_api_", ALL, 40),
    "atlassian": ("ATATT3", ALL, 180),
    "vault": ("hvs.", ALL, 90),
    "age": ("AGE-SECRET-KEY-1", LARGE, 58),
    "notion": ("ntn_", ALL, 46),
    "figma": ("figd_", ALL, 40),
    "grafana": ("glsa_", ALL, 41),
    "groq": ("gsk_", ALL, 52),
    "xai": ("xai-", ALL, 80),
    "new-relic": ("NRAK-", LARGE, 27),
    "supabase": ("sbp_", HEXADECIMAL, 40),
    "brevo": ("xkeysib-", HEXADECIMAL, 64),
    "alibaba": ("LTAI", ALL, 20),
    "replicate": ("r8_", ALL, 37),
}


def planted_secrets(seed: int = 7) -> dict[str, str]:
    """Return a secret of each kind, by the kind's name: each is told to be one by its own format."""
    chance = random.Random(seed)  # noqa: S311 - they open nothing
    made = {kind: start + _some(chance, letters, count) for kind, (start, letters, count) in PREFIXED.items()}
    digits = _some(chance, string.digits, 9)
    made["slack-bot"] = f"xoxb-{_some(chance, string.digits, 12)}-{digits}123-{_some(chance, ALL, 24)}"
    channel = f"T{_some(chance, LARGE, 9)}/B{_some(chance, LARGE, 9)}"
    made["slack-webhook"] = f"{channel}/{_some(chance, ALL, 24)}"
    made["sendgrid"] = f"SG.{_some(chance, ALL, 22)}.{_some(chance, ALL, 43)}"
    made["telegram"] = "AA" + _some(chance, ALL, 33)
    made["discord-bot"] = ".".join([_encoded("182736451928374655"), _some(chance, ALL, 6), _some(chance, ALL, 38)])
    made["json-web-token"] = _json_web_token(chance)
    made["private-key"] = _private_key(chance)
    return made


def in_place(kind: str, secret: str) -> str:
    """Return a secret as its format shows it: some stand in an address or behind a number."""
    if kind == "slack-webhook":
        return "https://hooks" + f".slack.com/services/{secret}"
    if kind == "telegram":
        return f"123456789:{secret}"
    return secret


def spoken_of(seed: int = 7) -> dict[str, tuple[str, str]]:
    """Return texts with a secret that is told by what is said of it, and that secret, by kind."""
    chance = random.Random(seed)  # noqa: S311 - they open nothing
    key, short, hexadecimal = _some(chance, ALL, 48), _word(chance), _some(chance, HEXADECIMAL, 32)
    basic = base64.b64encode(f"ada:{short}".encode()).decode()
    texts = {
        "aws-secret-key": ("AWS_SECRET_ACCESS_KEY=", _some(chance, ALL + "/+", 40), ""),
        "exported-token": ("export ACME_TOKEN=", _some(chance, ALL, 24), ""),
        "password-in-code": ('connect(user="ada", password="', short, '")'),
        "password-in-yaml": ("db:\n  password: ", short, "\n  port: 5432"),
        "password-in-json": ('{"user": "ada", "password": "', short, '"}'),
        "password-in-chinese": ("测试库的密码：", short, "，不要外传。"),
        "password-in-a-chinese-sentence": ("数据库密码是", short, "。"),
        "password-in-prose": ("For staging the password is ", short, ", ask Ada."),
        "key-in-prose": ("the API key is ", key, " and it works"),
        "key-in-chinese": ("API 密钥: ", hexadecimal, " 已启用"),
        "password-in-an-address": ("postgres://ada:", short, "@db.acme.dev:5432/shop"),
        "basic-authorization": ("Authorization: Basic ", basic, ""),
        "bearer-authorization": ('-H "Authorization: Bearer ', _some(chance, ALL, 40), '"'),
        "cookie": ("Cookie: theme=dark; session=", _some(chance, ALL, 32), "; lang=en"),
        "azure-storage": ("AccountName=shop;AccountKey=", _some(chance, ALL, 86) + "==", ";EndpointSuffix=core"),
        "azure-signature": ("https://shop.blob.core.windows.net/c?sv=2024&sig=", _some(chance, ALL, 43) + "%3D", ""),
        "heroku-key": ("HEROKU_API_KEY=", "-".join(_some(chance, HEXADECIMAL, n) for n in (8, 4, 4, 4, 12)), ""),
        "command-line": ("mysql -h db -u ada -p", short, " shop"),
        "curl-user": ("curl -u ada:", short, " https://acme.dev/api"),
        "escaped-json": ('"{\\"api_key\\": \\"', _some(chance, SMALL, 32), '\\"}"'),
    }
    return {kind: (before + secret + after, secret) for kind, (before, secret, after) in texts.items()}


def _some(chance: random.Random, letters: str, count: int) -> str:
    """Return random letters, among them a digit and a letter where there are such."""
    while True:
        made = "".join(chance.choice(letters) for _ in range(count))
        if any(each.isdigit() for each in made) and (letters == string.digits or any(each.isalpha() for each in made)):
            return made


def _word(chance: random.Random) -> str:
    return f"{_some(chance, SMALL, 6)}!{_some(chance, ALL, 6)}"


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _json_web_token(chance: random.Random) -> str:
    head = _encoded(json.dumps({"alg": "HS256", "typ": "JWT"}))
    return ".".join([head, _encoded(json.dumps({"sub": _some(chance, ALL, 12)})), _some(chance, ALL, 43)])


def _private_key(chance: random.Random) -> str:
    lines = [_some(chance, ALL + "+/", 64) for _ in range(6)]
    dashes = "-" * 5
    name = "RSA PRIVATE" + " KEY"
    return "\n".join([f"{dashes}BEGIN {name}{dashes}", *lines, f"{dashes}END {name}{dashes}"])
