"""Finds secrets by what is said of them: `password = …`, `export X_TOKEN=…`, “the API key is …”, `密码：…`, headers.

Standard library alone, since the hook program carries it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardwon.kernel.secret_patterns import lowered, pattern, places
from hardwon.kernel.secret_values import is_code, is_mixed, is_password, is_placeholder, is_random, is_token

_QUALIFIED = r"(?:api|access|secret|private|auth|account|service|encryption|signing|master|storage|webhook)[ _-]?$"
"""What makes a key a secret one."""
_ABOUT = (
    r"(?i:(?:count|type|len|length|name|limit|budget|expir\w*|ttl|ur[il]|endpoint|path|file\w*|field|min|max|size"
    r"|polic\w*|ids?|ring|izers?|ized?|(?:per|used|left|total)\w*)$)"
)
"""How the name of something ends that is about a secret, and none."""
_BETWEEN = (
    r"(\w[\w-]{0,24}|)\\?[\"'`*\])]{0,3}"
    r"(?:\s{0,3}(?::=|=>|={1,3}|!==?|[:：＝])\s{0,4}|\s+(?:is|are)[: ]\s*|\s*[是为]\s*[:：]?\s*)"
)
"""What stands between the word and the value: the rest of the name, a quotation mark, a sign or a verb."""
_VALUE = (
    r"(?:@|[brfu]{1,2})?(?:\\?\"((?:[^\"\\\n]|\\[^\"\n]){1,400})\\?\"|'([^'\n]{1,400})'|`([^`\n]{1,400})`"
    r"|([^\s\"'`,;<>()\[\]{}|，。；、！？）】」]+))"
)
_UNQUOTED = 4
"""The group of a value without quotes."""

Test = Callable[[str, str, bool], bool]
"""Tells from the 16 characters before the word, the value, and whether it is quoted, whether that is a secret."""
_WORDS: tuple[tuple[str, str, Test], ...] = (
    ("pass", "password", lambda before, value, quoted: not before[-1:].isalpha() and is_password(value, quoted=quoted)),
    ("password", "password", lambda _, value, quoted: is_password(value, quoted=quoted)),
    ("pwd", "password", lambda _, value, quoted: is_password(value, quoted=quoted)),
    ("secret", "secret", lambda _, value, quoted: is_token(value, quoted=quoted)),
    ("credential", "secret", lambda _, value, quoted: is_token(value, quoted=quoted)),
    ("token", "token", lambda _, value, quoted: is_token(value, quoted=quoted)),
    ("auth", "token", lambda _, value, quoted: is_token(value, quoted=quoted)),
    ("key", "key", lambda before, value, quoted: _is_secret_key(before, value) and is_token(value, quoted=quoted)),
)
_CHINESE_WORDS: tuple[tuple[str, str, Test], ...] = (
    ("密码", "password", lambda _, value, quoted: is_password(value, quoted=quoted)),
    ("口令", "password", lambda _, value, quoted: is_password(value, quoted=quoted)),
    ("令牌", "token", lambda _, value, quoted: is_token(value, quoted=quoted)),
    ("密钥", "key", lambda _, value, quoted: is_token(value, quoted=quoted)),
    ("秘钥", "key", lambda _, value, quoted: is_token(value, quoted=quoted)),
)


def assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Walk the values that are given to something called a password, a token, a secret or a key."""
    small = lowered(text)
    for word, sort, test in _WORDS if text.isascii() else _WORDS + _CHINESE_WORDS:
        for place in places(small, word):
            between = pattern(_BETWEEN).match(text, place + len(word))
            if not between or pattern(_ABOUT).search(between[1]):
                continue
            value = pattern(_VALUE).match(text, between.end())
            if value is None or value.lastindex is None:
                continue
            given = value[value.lastindex].rstrip(".:!?") if value.lastindex == _UNQUOTED else value[value.lastindex]
            if test(small[max(0, place - 16) : place], given, value.lastindex != _UNQUOTED):
                start = value.start(value.lastindex)
                yield start, start + len(given), sort


def _is_secret_key(before: str, value: str) -> bool:
    """Tell whether a key opens something: keys of dictionaries, caches and tables are none."""
    return len(value) >= 24 or pattern(_QUALIFIED).search(before) is not None


def in_headers(text: str) -> Iterator[tuple[int, int, str]]:
    """Walk what stands in headers of HTTP: credentials, and the values of cookies."""
    small = lowered(text)
    for place in places(small, "authorization"):
        found = pattern(r"(?i:authorization[\"'\]]*\s*[:=,]\s*[\"'`]?(?:\w+ +)?(?:\w+=)?)([^\s\"'`,;<>]{6,})").match(
            text, place
        )
        if found and not (found[1].isalpha() or is_placeholder(found[1]) or is_code(found[1])):
            yield *found.span(1), "authorization"
    for place in places(small, "bearer "):
        found = pattern(r"(?i:bearer) +([\w.~+/-]{16,}=*)").match(text, place)
        if found and is_mixed(found[1]) and is_random(found[1]) and not is_placeholder(found[1]):
            yield *found.span(1), "authorization"
    for place in places(small, "cookie"):
        if found := pattern(r"(?i:cookie)[\"']?\s*[:=]\s*[\"']?([^\n\"']+)").match(text, place):
            yield from _cookies(text, *found.span(1))


def _cookies(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for pair in pattern(r"([\w.-]+)=([^\s;,\"']{8,})").finditer(text, start, end):
        about = pair[1].lower() in ("path", "domain", "expires", "samesite", "max-age")
        if not about and not is_placeholder(pair[2]) and (is_mixed(pair[2]) or len(pair[2]) >= 16):
            yield *pair.span(2), "cookie"
