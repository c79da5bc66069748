"""Finds keys that have no format: long texts that are random, and no hash, identifier, path or picture.

One of capitals, small letters and digits is taken wherever it stands. One of small letters and digits, as hashes are
too, is taken only in a line that speaks of a key, a token or a password, and of no hash.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from hardwon.kernel.secret_patterns import runs
from hardwon.kernel.secret_values import average_run, is_mixed, is_placeholder, is_random

SORT = "random text"
SHORTEST, LONGEST = 24, 300
"""Characters: a shorter one is no key, a longer one is data."""
SHORTEST_SPOKEN_OF = 20
"""Characters where the line speaks of a key."""
LEAST_ENTROPY = 3.9
"""Bits a character: of 24 random letters and digits it is 4.3 on average, seldom below 4."""
LEAST_HEXADECIMAL_ENTROPY = 3.0
LONGEST_RANDOM_RUN, LONGEST_WITHOUT_WORDS = 2.3, 3.0
"""As in the kernel, for what nothing else says to be a key; the second where there is no word of five letters."""
_WORD = re.compile(r"[A-Za-z][a-z]{4}|[A-Z]{5}")
_KEY = re.compile(
    r"(?i)(?:api|access|secret|private|auth|signing|encryption|account|license|admin|master|service)[ _-]?keys?\b|token"
    r"|secret|passw|passphrase|credential|bearer|密码|口令|密钥|秘钥|令牌|凭证|\bkey\b(?=[ :]|$)"
)
_HASH = re.compile(
    r"(?i)commit|\bsha|\bmd5|hash|digest|checksum|revision|\brev\b|integrity|etag|fingerprint|blob|\btree\b|\bcid\b"
    r"|uuid|\bids?\b|_id\b|提交|哈希|校验"
)
_IDENTIFIER = re.compile(
    r"(?:srv)?toolu_|msg_|req_|ses_|call_|prt_|chatcmpl-|resp_|run_|thread_|evt_|cus_|pi_|ch_|sub_|in_|prod_|price_"
    r"|acct_|step_|asst_|file[-_]|batch_|conv_|item_|rs_|fc_|sha\d{3}[-_]|h1[-_:]|v?\d+\."
)
_UUID = re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_PICTURE = re.compile(r"iVBORw0KGgo|/9j/|R0lGOD|UklGR|PHN2Z|JVBERi|UEsDB|AAAAIGZ0|AAABAA|d09GM|T2dnUw|PD94bW")
_LINK = re.compile(r"\[\[[^\[\]|\n]{0,120}\b01[0-9a-hjkmnp-tv-z]{16}\Z")
"""A wikilink to a memory's file, which ends with the memory's id."""
_HEXADECIMAL = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_AROUND = re.compile(r"[A-Za-z0-9_+/=.~:@%$#-]")
_DATA = re.compile(r"[\s>#*|\"'+]*[A-Za-z0-9+/]{20,}={0,2}[\s\"',+\\]*")
_NEIGHBOURS = "/\\.@#$%&~+"
"""What stands beside parts of paths, addresses, versions and encoded data, and seldom beside a key."""


def random_texts(text: str) -> Iterator[tuple[int, int, str]]:
    """Walk the random texts that may be keys."""
    for start, end in runs(text, SHORTEST_SPOKEN_OF):
        value = text[start:end]
        if not is_mixed(value) or _is_known_kind(text, start, end, value):
            continue
        line = _line(text, start, end)
        spoken_of = _KEY.search(line) is not None and _HASH.search(line) is None
        if _is_key(value, spoken_of=spoken_of) and (spoken_of or not _HASH.search(line[-80:])):
            yield start, end, SORT


def _line(text: str, start: int, end: int) -> str:
    """Return what is said around a place in its line, or above it where nothing stands before it."""
    first = text.rfind("\n", 0, start) + 1
    before = text[first:start]
    if not before.strip():
        above = text[:first].rstrip()[-200:]
        before = above.rpartition("\n")[2]
    return before[-200:] + " " + text[end : end + 60].partition("\n")[0]


def entropy(text: str) -> float:
    """Return Shannon's entropy in bits a character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def _is_key(value: str, *, spoken_of: bool) -> bool:
    if _HEXADECIMAL.fullmatch(value):
        return spoken_of and len(value) >= 2 * 16 and entropy(value) >= LEAST_HEXADECIMAL_ENTROPY
    if not is_random(value) or entropy(value) < LEAST_ENTROPY or is_placeholder(value):
        return False
    if spoken_of:
        return True
    cases = any(each.islower() for each in value) and any(each.isupper() for each in value)
    separators = value.count("_") + value.count("-")
    run = average_run(value)
    shuffled = run < LONGEST_RANDOM_RUN or (
        run < LONGEST_WITHOUT_WORDS and len(value) >= 32 and not _WORD.search(value)
    )
    shuffled = shuffled and separators <= len(value) / 12
    return cases and shuffled and len(value) >= SHORTEST


def _is_known_kind(text: str, start: int, end: int, value: str) -> bool:
    """Tell whether it is what is no key: an identifier, a part of a path or an address, a picture, other data."""
    if len(value) > LONGEST or _IDENTIFIER.match(value) or _UUID.search(value) or _PICTURE.match(value):
        return True
    if _is_in_a_block(text, start, end) or _LINK.search(text, max(0, start - 130), end):
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    after = "" if after == "." and not _AROUND.match(text[end + 1 : end + 2]) else after
    return bool(before and before in _NEIGHBOURS) or bool(after and after in f"{_NEIGHBOURS}(")


def _is_in_a_block(text: str, start: int, end: int) -> bool:
    """Tell whether it stands in lines of encoded data, such as a certificate."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    last = len(text) if last < 0 else last
    if not _DATA.fullmatch(text, first, last):
        return False
    above = text.rfind("\n", 0, max(0, first - 1)) + 1
    below = text.find("\n", last + 1)
    below = len(text) if below < 0 else below
    return bool(
        _DATA.fullmatch(text, above, max(above, first - 1)) or _DATA.fullmatch(text, min(last + 1, below), below)
    )
