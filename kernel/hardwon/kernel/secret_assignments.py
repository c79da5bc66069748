"""Finds secrets by what is said of them: `password = …`, `export X_TOKEN=…`, “the API key is …”, `密码：…`, headers.

Standard library alone, since the hook program carries it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardwon.kernel.secret_patterns import lowered, pattern, places
from hardwon.kernel.secret_values import (
    is_code,
    is_mixed,
    is_password,
    is_placeholder,
    is_plainly_one,
    is_random,
    is_token,
)

_QUALIFIED = r"(?:api|access|secret|private|auth|account|service|encryption|signing|master|storage|webhook)[ _-]?$"
"""What makes a key a secret one."""
_ABOUT = (
    r"(?i:(?:count|type|len|length|name|limit|budget|expir\w*|ttl|ur[il]|endpoint|path|file\w*|field|min|max|size"
    r"|polic\w*|ids?|ring|izers?|ized?|(?:per|used|left|total)\w*|class|cls|grant|pattern|regex|format|version|hash"
    r"|digest|md5|sha\d*|method|status|state|error|header|prefix|label|title|index|column)$)"
)
"""How the name of something ends that is about a secret, and none."""
_BETWEEN = (
    r"(\w[\w-]{0,24}|)\\?[\"'`*\])]{0,3}"
    r"(?:[ \t]{0,3}(?::=|=>|={1,3}|!==?|＝)[ \t]{0,4}|[ \t]{0,3}[:：][*_]{0,2}[ \t]*(?:\r?\n[ \t]*)?"
    r"|\s+(?:is|are|was|were)[: ]\s*|\s*[是为]\s*[:：]?\s*|>(?=[^<>\s]{4,200}</)|(?=[“「『])"
    r"|([ \t]*(?:→|->|\|)[ \t]*|[ \t]+))"
)
"""What stands between the word and the value: the rest of the name, a quotation mark, a sign or a verb.

Group 2 is what may stand between any two words: then the value itself has to show that it is one.
"""
_VALUE = (
    r"(?:(?:@|[brfuBRFU]{1,2})(?=[\"'`]))?"
    r"(?:\\\"((?:[^\"\\\n]|\\[^\"\n]){1,400})\\\"|\"((?:[^\"\\\n]|\\.){1,400})\"|'([^'\n]{1,400})'|`([^`\n]{1,400})`"
    r"|[“「『]([^”」』\n]{1,400})[”」』]|([^\s\"'`,;<>()\[\]{}|“”「」『』，。；、！？）】]+))"
)
_UNQUOTED = 6
"""The group of a value without quotes."""
_OPTION = r"--[\w-]*$"
"""What comes before the word where it names an option of a command: the value may follow after a blank."""
_SENTENCE = r"\w{0,24}[ \t]{1,8}(?!(?:is|are|was|were)[: ])[a-z]+[.?]?(?:[\s,;)]|$)"
"""What goes on after the word in most sentences: with a word in small letters, which shows nothing by itself."""

Test = Callable[[str, str], bool]
"""Tells from the 16 characters before the word and the rest of it whether it means what it says."""


def _is_pass(before: str, rest: str) -> bool:
    """Tell whether `pass` or `pwd` is a word of its own or begins `password`; they also end and begin others."""
    return rest.startswith(("word", "wd", "phrase", "code", "wort")) or (
        not before[-1:].isalpha() and not rest.lstrip("_-0123456789")
    )


def _is_auth(before: str, rest: str) -> bool:
    """Tell whether `auth` is a word of its own, and no part of `author`."""
    return not rest[:1].isalpha() or rest.startswith(("token", "key", "secret"))


def _is_qualified(before: str, rest: str) -> bool:
    """Tell whether a key opens something: keys of dictionaries, caches and tables are none."""
    return pattern(_QUALIFIED).search(before) is not None


def _always(before: str, rest: str) -> bool:
    return True


_WORDS: tuple[tuple[str, str, Test], ...] = (
    ("pass", "password", _is_pass),
    ("pwd", "password", _is_pass),
    ("pw", "password", _is_pass),
    ("secret", "secret", _always),
    ("credential", "secret", _always),
    ("token", "token", _always),
    ("auth", "token", _is_auth),
    ("key", "key", _is_qualified),
)
_CHINESE_WORDS: tuple[tuple[str, str, Test], ...] = (
    ("密码", "password", _always),
    ("口令", "password", _always),
    ("令牌", "token", _always),
    ("密钥", "key", _always),
    ("秘钥", "key", _always),
)
HEADERS = ("authorization", "bearer ", "cookie")
"""What a header with something secret in it has, in small letters."""
NAMES = tuple(word for word, _, _ in (*_WORDS, *_CHINESE_WORDS))
"""What something is called, in small letters, whose value is looked at."""
LONG = 24
"""Characters from which on a value of any key counts."""


def assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Walk the values that are given to something called a password, a token, a secret or a key."""
    small = lowered(text)
    for word, sort, test in _WORDS if text.isascii() else _WORDS + _CHINESE_WORDS:
        where = small if word.isascii() else text
        for place in places(where, word) if word in where else ():
            if pattern(_SENTENCE).match(text, place + len(word)) and "--" not in small[max(0, place - 16) : place]:
                continue
            between = pattern(_BETWEEN).match(text, place + len(word))
            value = _value(text, between.end()) if between and not pattern(_ABOUT).search(between[1]) else None
            if between is None or value is None:
                continue
            start, end, quoted = value
            before, given = small[max(0, place - 16) : place], text[start:end]
            if between[2] and not pattern(_OPTION).search(before):
                is_verb = word == "pass" and not between[1]
                if is_verb or not is_plainly_one(given, sort):
                    continue
            is_one = is_password if sort == "password" else is_token
            meant = (word == "key" and len(given) >= LONG) or test(before, between[1].lower())
            if meant and is_one(given, quoted=quoted):
                yield start, end, sort


def _value(text: str, start: int) -> tuple[int, int, bool] | None:
    """Return where the value that begins here stands, and whether it is in quotation marks."""
    found = pattern(_VALUE).match(text, start)
    if found is None or found.lastindex is None:
        return None
    begin, end = found.span(found.lastindex)
    if found.lastindex != _UNQUOTED:
        return begin, end, True
    # The end of a sentence is no part of a value; many passwords end with an exclamation mark.
    given = text[begin:end].rstrip(".:?*")
    return begin, begin + len(given if is_mixed(given) else given.rstrip("!")), False


_AUTHORIZATION = (
    r"(?i:authorization[\"'\]]*\s*[:=,]\s*[\"'`]?(?:(basic|bearer|token|digest|apikey|aws4-hmac-sha256) +)?(?:\w+=)?)"
    r"([^\s\"'`,;<>{}]{6,})"
)
"""Group 1 is the scheme, group 2 what opens."""


def in_headers(text: str) -> Iterator[tuple[int, int, str]]:
    """Walk what stands in headers of HTTP: credentials, and the values of cookies."""
    small = lowered(text)
    if not any(header in small for header in HEADERS):
        return
    for place in places(small, "authorization"):
        found = pattern(_AUTHORIZATION).match(text, place)
        plain = found is None or (found[1] is None and not is_mixed(found[2]))
        if found and not (plain or is_placeholder(found[2]) or is_code(found[2])):
            yield *found.span(2), "authorization"
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
