"""Tells whether what stands in a secret's place is one: a placeholder, a word, a piece of code are none.

Standard library alone, since the hook program carries it.
"""

from __future__ import annotations

from hardwon.kernel.secret_patterns import pattern

_PLACEHOLDER = (
    r"(?i:\.\.\.|…|\*{3}|•{3}|x{4}|<[^>]*>|\$\{|\{\{|\$\(|%\w+%|#\{|^\$\w+$|^\{.*\}$|^\[.*\]$"
    r"|example|placeholder|change[-_ ]?(?:me|this|it)|dummy|redacted|replace|insert[-_]|^your|[-_]your[-_]|your[-_]"
    r"|^my[-_]?(?:api|secret|token|password|key)|here$|_goes_|^todo|^tbd|^fixme)"
)
_CODE = (
    r"(?:process|os|import|env|self|this|config|settings|vars?|args|options|ctx|context|req|request|params?|event|data"
    r"|user|props|state|response|result|input|cls|module|local|steps|github|inputs|needs|values|secrets)(?:[.\[]|->|\?\.|::)"
    r"|[A-Za-z_$][\w$.]*(?:\(|\[|::|->|\?\.)"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"  # the name of a constant or a variable of the environment
    r"|(?:[Ss]tr|int|bytes|bool|[Ss]tring|[Oo]ptional|[Nn]one|null|nil|[Tt]rue|[Ff]alse|undefined|[Aa]ny|SecretStr)\b"
)
_WORDS = (
    r"(?i:password|passwd|passphrase|pass|pwd|secret|token|key|apikey|user|username|admin|root|login|required|optional|"
    r"invalid|incorrect|missing|wrong|empty|string|text|hidden|number|value|valid|expired|bearer|basic|none|null|"
    r"true|false|undefined|unknown|default|access|refresh|public|private|test|staging|production|development|"
    r"localhost)"
)
"""What stands for a secret in documentation, code and messages."""
_RUN = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
_WORDS_ALONE = r"[-_.:$/]*[A-Za-z]+(?:[-_.:/]+[A-Za-z]+)*[-_.:/]*"
_NUMBER = r"0x[0-9a-fA-F]+|v?\d+(?:\.\d+)+(?:[-.]\w*)*|-+\w*"
_EXPRESSION = r"^[\w.]*[\[(].*[\])][*+?]?$|\\[dwsbx]|\[[^\]]*\w-\w|\(\?"
"""A regular expression, or a call."""
_SPECIAL = r"[!#$%^&*+~]"
_OWN_WORD = r"(?i:pass|secret|token|key|credential|auth)"
_DOTTED = r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+"
_CLASS = r"[A-Z]\w*[a-z]\w*[A-Z][a-z]{2}\w*"
LONGEST_RANDOM_RUN = 2.75
"""Letters and digits of one sort that stand together on average: 1.4–2.2 in random texts, 3.5 and more in names."""

LONG_LETTERS = 10
"""Letters from which on a row of them without quotes can show that it is random."""
_TURN = r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])"
TURNS, LONGEST_RUN_WITH_TURNS = 0.18, 4.0
"""Turns from a letter to a digit or back, a character: 0.27–0.4 in random texts, few in names with numbers."""


def is_placeholder(value: str) -> bool:
    """Tell whether somebody left a secret out on purpose, or wrote a plain word in its place."""
    value = value.strip("\"'`")
    return bool(pattern(_WORDS).fullmatch(value) or pattern(_PLACEHOLDER).search(value))


def is_code(value: str) -> bool:
    """Tell whether a value without quotes is a name, a call or a type: where the secret comes from, and not it."""
    if pattern(_CODE).match(value):
        return True
    if pattern(_DOTTED).match(value):
        return not any(len(part) >= 12 and is_random(part) for part in value.split("."))
    return False


def is_class(value: str) -> bool:
    """Tell whether a value is a name of several words with capitals, such as that of a class."""
    return pattern(_CLASS).fullmatch(value) is not None and average_run(value) >= LONGEST_RANDOM_RUN


def is_mixed(value: str) -> bool:
    """Tell whether a text has letters and digits."""
    return any(each.isdigit() for each in value) and any(each.isalpha() for each in value)


def average_run(value: str) -> float:
    """Return how many letters and digits of one sort stand together on average; a capital is one with its word."""
    runs = pattern(_RUN).findall(value)
    return sum(map(len, runs)) / len(runs) if runs else 0.0


def is_random(value: str) -> bool:
    """Tell whether a text is not made of words, numbers and names: its runs of one sort of character are short."""
    run = average_run(value)
    turns = len(pattern(_TURN).findall(value)) >= TURNS * len(value)
    return len(set(value)) > 5 and (0 < run < LONGEST_RANDOM_RUN or (run < LONGEST_RUN_WITH_TURNS and turns))


def has_long(value: str) -> bool:
    """Tell whether one part of a text, as separators part it, is long and has letters and digits."""
    return any(is_mixed(part) for part in pattern(r"[A-Za-z0-9]{12,}").findall(value))


def is_password(value: str, *, quoted: bool) -> bool:
    """Tell whether a value of something called a password is one; a single word is only where it is quoted."""
    if len(value) < (4 if quoted else 6) or not is_given(value, quoted=quoted) or pattern(_NUMBER).fullmatch(value):
        return False
    if pattern(_WORDS_ALONE).fullmatch(value):
        is_one = quoted or (len(value) >= LONG_LETTERS and value.isalpha() and is_random(value))
        return is_one and not pattern(_OWN_WORD).search(value)
    return True


def is_token(value: str, *, quoted: bool) -> bool:
    """Tell whether a value of something called a token, a secret or an API key is one."""
    if len(value) < (8 if quoted else 10) or not is_given(value, quoted=quoted) or (not quoted and is_class(value)):
        return False
    special = pattern(_SPECIAL).search(value) is not None
    return is_mixed(value) and (value.isalnum() or special or is_random(value) or has_long(value))


def is_plainly_one(value: str, sort: str) -> bool:
    """Tell whether a value shows by itself that it is a password, or else a key; only a blank stands before it."""
    if not is_mixed(value):
        return False
    if sort == "password":
        return len(value) >= 8 and pattern(r"[!#$%^&+~]").search(value) is not None
    return len(value) >= 20 and is_random(value) and pattern(r"[A-Za-z0-9-]+").fullmatch(value) is not None


def is_given(value: str, *, quoted: bool) -> bool:
    """Tell whether a value is there, in one word: no placeholder, no expression and no code."""
    if not value.isascii() or any(each.isspace() for each in value) or is_placeholder(value):
        return False
    return not pattern(_EXPRESSION).search(value) and (quoted or not is_code(value))
