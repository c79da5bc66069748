"""Whether an English sentence says what to do.

It does where it says what must be, or where a clause orders something: the first one, one behind a semicolon, or, after
an opening such as “When a message comes twice,”, the one that follows. An order begins with a verb in its plain form:
one that is known, or any word that an article or the like follows, since no noun is followed by one. A noun with its
verb behind it (“Lock contention was high”) orders nothing.
"""

from __future__ import annotations

import re

from hardwon.kernel.principle.verbs import NO_VERBS, PASTS, VERBS, words_in

_OBLIGES = re.compile(
    r"\b(?:(?:must|should)(?!\s+have\s+\w+(?:ed|en)\b)|shall|ought to|has to|(?<!not )have to|(?<!not )needs? to|"
    r"may not|is to be|are to be)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"\b(?:do not|don't|never|always|(?<!to )avoid|(?<!to )ensure|make sure)\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:after|as soon as|at|before|by|during|even|for|from|if|in|instead|on|once|rather|since|to|unless|until|when|"
    r"whenever|where|wherever|while|with|within|without)\b",
    re.IGNORECASE,
)
_WITHOUT_A_VERB = re.compile(r"^(?:after|at|before|during|for|from|in|on|with|within|without)\b", re.IGNORECASE)
"""Openings with a noun alone, behind which a verb is the sentence's own."""
_LEAD = re.compile(
    r"^(?:(?:always|never|only|please|first|then|next|also|instead|simply|just|rather|better|explicitly|regularly|"
    r"periodically|automatically|and|but|or|so|otherwise|therefore|again|at once|at least|not)[,\s]+)+",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[;:]\s+|\s*[—–]\s*|\.\s+")
_COMMA = re.compile(r",\s+")
_WORD = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*")
_BEFORE_A_NOUN = words_in(
    """a all an any both each every her his how its no one only our that the their them these this those two what
    whatever when where whether which who your"""
)
_FINITE = words_in(
    """are ate became began blew broke came can come could crashed did drew drove failed fell flew forgot froze gave
    go goes grew had happen happens has have is knew lost may might occur occurs ran rose sank shook stole stopped
    swore threw took tore was went were will woke wore would wrote"""
)
"""Verbs that a noun has behind it; those that may belong to what follows (sent, held) are not among them."""
_LATER = _BEFORE_A_NOUN | words_in(
    """about after against and as at because before behind by during for from if in into it like of off on once onto
    or out over since so than through to under unless until up upon while whose with within without you i we they can
    could may might will would"""
)
"""Behind these, a verb belongs to something else than the first word."""
_TAKES_A_CLAUSE = words_in(
    """assume confirm declare document ensure expect guarantee have help keep know let make prove remember require
    say see show suppose treat verify watch"""
)
_NEAR = 4
"""Words in which a noun's verb follows it."""
CARE = re.compile(
    r"\b(?:be|been|is|are) (?:very |more |extra |always )?(?:careful|cautious|mindful)(?! to\b)(?! that\b)"
    r"|\btake (?:great |special |extra |more |good )?care(?! to\b)(?! that\b)|\bpay(?:ing)? (?:close |more )?attention"
    r"|\bwith (?:great |special |extra |due )?care\b|\bseriously\b|\bthink(?:ing)? (?:carefully|hard|twice)\b"
    r"|\bcarefully\b|\bproperly\b|\bbest practices?\b|\bin the right way\b",
    re.IGNORECASE,
)
"""Words that ask for care and name no act."""


def is_normative(sentence: str) -> bool:
    """Tell whether the sentence says what to do."""
    sentence = sentence.strip().lstrip("\"'“‘(-* ")
    if _OBLIGES.search(sentence):
        return True
    return any(_orders(clause) for clause in _CLAUSE_END.split(sentence))


def obliges(sentence: str) -> bool:
    """Tell whether a word of obligation says so, such as must, never or avoid, and not only an order's form."""
    return bool(_OBLIGES.search(sentence) or _FORBIDS.match(sentence.strip()))


def _orders(clause: str) -> bool:
    """Tell whether a clause begins with an order, or has one behind its opening."""
    if not _OPENING.match(clause):
        return _begins_with_an_act(clause)
    opening, *parts = _COMMA.split(clause)
    return bool(_FORBIDS.search(clause)) or any(map(_begins_with_an_act, parts)) or _has_an_act_behind(opening)


def _has_an_act_behind(opening: str) -> bool:
    """Tell whether an order follows an opening without a comma: “After an outage let the backlog in slowly”."""
    words = _words(opening)
    acts = zip(words[1:], words[2:], words[3:], strict=False)
    return bool(_WITHOUT_A_VERB.match(opening)) and any(
        before not in _LATER and act in VERBS and after in _BEFORE_A_NOUN for before, act, after in acts
    )


def _begins_with_an_act(clause: str) -> bool:
    if _FORBIDS.match(clause) and not re.match(r"never\W|always\W", clause, re.IGNORECASE):
        return True
    words = _words(_COMMA.split(_LEAD.sub("", clause))[0])[: _NEAR + 1]
    if not words:
        return False
    first, *more = words
    if more and more[0] in _BEFORE_A_NOUN and _may_be_a_verb(first):
        return True
    return _is_known(first) and (first in _TAKES_A_CLAUSE or not _has_its_verb(more))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _is_known(word: str) -> bool:
    """Tell whether a word is a verb in its plain form, by itself or as the last part of a compound: rate-limit."""
    return word in VERBS or ("-" in word and word.rpartition("-")[2] in VERBS)


def _may_be_a_verb(word: str) -> bool:
    """Tell whether a word that nobody listed may be a verb in its plain form."""
    is_plain = not word.endswith(("ed", "ing", "ly")) and (not word.endswith("s") or word.endswith("ss"))
    return word in VERBS or (is_plain and word not in NO_VERBS and word not in PASTS)


def _has_its_verb(words: list[str]) -> bool:
    """Tell whether a finite verb follows a noun before anything else begins."""
    for word in words[:_NEAR]:
        if word in _FINITE:
            return True
        if word in _LATER:
            return False
    return False
