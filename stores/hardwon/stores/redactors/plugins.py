"""The plugins of detect-secrets, each asked for itself: without its global settings, its files and its verification.

Its `scan_line` changes settings of the whole process and may ask a service whether a secret is valid. A plugin's
patterns are neither: they only look, whatever the thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from hardwon.kernel.secret_patterns import lowered, pattern, places, runs
from hardwon.kernel.secret_values import is_code, is_password, is_placeholder, is_random

CHUNK, OVERLAP = 4000, 200
"""Characters of a line that are looked at together: some patterns take the square of the length."""
BEFORE, AFTER = 100, 200
"""Characters around a word such as `secret` in which KeywordDetector may find a value that is given to it."""
WORDS = ("pass", "pwd", "secret", "contrase", "key")
"""Words by which KeywordDetector goes, in small letters."""
LONG_RUN = 20
"""Letters, digits, `_` and `-` in a row that a line has in which a pattern of a plugin finds something."""
_QUOTES = ('"', "'", "`")
_KEYS = r"(?:api|auth|service|account|db|database|priv|private|client)_?$"
"""What KeywordDetector wants before `key`."""
_SHORTEST = 8


def detected(text: str) -> Iterator[tuple[int, int, str]]:
    """Walk what the plugins find in the places where they could find something."""
    for start, end in _lines(text):
        line = text[start:end]
        small = line.lower()
        for sort, anchor, expression, strict in _patterns():
            for found in expression.finditer(line) if anchor in line or anchor in small else ():
                place = _place(found)
                value = line[slice(*place)]
                if _is_one(line, found, value, strict=strict):
                    yield start + place[0], start + place[1], sort
    yield from named(text)


def named(text: str) -> Iterator[tuple[int, int, str]]:
    """Walk what KeywordDetector takes for secrets by their names."""
    for start, end in _around_words(text):
        yield from ((start + first, start + last, "secret") for first, last in _named(text[start:end]))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Walk the lines, in chunks, that have a long run of characters."""
    last = -1
    for place, _ in runs(text, LONG_RUN):
        if place < last:
            continue
        start = text.rfind("\n", 0, place) + 1
        end = text.find("\n", place)
        last = len(text) if end < 0 else end
        for first in range(start, max(last, start + 1), CHUNK - OVERLAP):
            yield first, min(first + CHUNK, last)


def _around_words(text: str) -> Iterator[tuple[int, int]]:
    """Walk what stands around the words that KeywordDetector goes by, within a line with quotation marks."""
    if not any(mark in text for mark in _QUOTES):
        return
    small = lowered(text)
    for word in WORDS:
        for place in places(small, word):
            if word == "key" and not pattern(_KEYS).search(small, max(0, place - 10), place):
                continue
            start = max(text.rfind("\n", 0, place) + 1, place - BEFORE)
            end = text.find("\n", place, place + AFTER)
            end = min(place + AFTER, len(text)) if end < 0 else end
            if any(mark in text[start:end] for mark in _QUOTES):
                yield start, end


def _is_one(line: str, found: re.Match[str], value: str, *, strict: bool) -> bool:
    """Tell whether a find is a secret: some patterns ask neither for its ends nor for its value."""
    inside = line[max(0, found.start() - 1) : found.start() + 1].isalnum() and found.start() > 0
    goes_on = line[found.end() - 1 : found.end() + 1].isalnum() and found.end() < len(line)
    if inside or goes_on or len(value) < _SHORTEST or is_placeholder(value):
        return False
    return is_random(value) or not (strict or pattern(r"[A-Za-z]+(?:[-_][A-Za-z]+)*").fullmatch(value))


def _place(found: re.Match[str]) -> tuple[int, int]:
    """Return where the secret stands: a group, unless it holds a mere prefix."""
    groups = [found.span(number) for number in range(1, 1 + (found.re.groups or 0)) if found[number]]
    long = [place for place in groups if place[1] - place[0] >= _SHORTEST]
    return long[-1] if long else found.span()


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str], bool], ...]:
    """Return, of each plugin that goes by patterns: its sort, what a line must hold, a pattern, and `strict`.

    Of what a strict plugin finds, only what is random counts.
    """
    from detect_secrets.plugins.artifactory import ArtifactoryDetector
    from detect_secrets.plugins.aws import AWSKeyDetector
    from detect_secrets.plugins.cloudant import CloudantDetector
    from detect_secrets.plugins.github_token import GitHubTokenDetector
    from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
    from detect_secrets.plugins.ibm_cloud_iam import IbmCloudIamDetector
    from detect_secrets.plugins.ibm_cos_hmac import IbmCosHmacDetector
    from detect_secrets.plugins.jwt import JwtTokenDetector
    from detect_secrets.plugins.mailchimp import MailchimpDetector
    from detect_secrets.plugins.npm import NpmDetector
    from detect_secrets.plugins.pypi_token import PypiTokenDetector
    from detect_secrets.plugins.slack import SlackDetector
    from detect_secrets.plugins.softlayer import SoftlayerDetector
    from detect_secrets.plugins.stripe import StripeDetector
    from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector

    exact = (
        ("aws", AWSKeyDetector), ("AKIA", AWSKeyDetector), ("cloudant", CloudantDetector), ("gh", GitHubTokenDetector),
        ("gl", GitLabTokenDetector), ("GR1348941", GitLabTokenDetector), ("ibm", IbmCloudIamDetector),
        ("ibm", IbmCosHmacDetector), ("-us", MailchimpDetector), ("_authToken", NpmDetector),
        ("pypi-", PypiTokenDetector), ("xox", SlackDetector), ("hooks.", SlackDetector),
        ("softlayer", SoftlayerDetector), ("k_live_", StripeDetector), (":", TelegramBotTokenDetector),
    )  # fmt: skip
    strict = (("AKC", ArtifactoryDetector), ("AP", ArtifactoryDetector), ("eyJ", JwtTokenDetector))
    return (*_rows(exact, strict=False), *_rows(strict, strict=True))


def _rows(plugins: Sequence[tuple[str, Any]], *, strict: bool) -> Iterator[tuple[str, str, re.Pattern[str], bool]]:
    for anchor, plugin in plugins:
        for expression in plugin.denylist:
            yield plugin.secret_type, anchor, expression, strict


def _named(line: str) -> Iterator[tuple[int, int]]:
    """Walk the quoted values that KeywordDetector takes for secrets by their names, and that may be some."""
    for value in _keyword_detector().analyze_string(line):
        words = pattern(r"[A-Za-z]+(?:[-_][A-Za-z]+)+").fullmatch(value)
        if is_password(value, quoted=True) and len(value) >= _SHORTEST and not (words or is_code(value)):
            place = line.find(value)
            while place >= 0:
                yield place, place + len(value)
                place = line.find(value, place + len(value))


@cache
def _keyword_detector() -> Any:
    from detect_secrets.plugins.keyword import KeywordDetector

    return KeywordDetector()
