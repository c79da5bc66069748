"""Principles: whether a sentence can stand as a rule.

A rule says what to do in one sentence without names, so that it holds outside the project that paid for it. Whoever
words one is held to this: the generalizer, and an agent that saves a lesson or proposes a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SHORTEST, LONGEST = 6, 40
"""Words (a Chinese character counts as one half) that a rule may have."""

_NORMATIVE = re.compile(
    r"\b(must|should|shall|never|always|do not|don't|avoid|ensure|make sure|only|need to)\b"
    r"|必须|应当|应该|不要|不得|不能|禁止|避免|务必|始终|切勿|只能|要|先|须",
    re.IGNORECASE,
)
_IMPERATIVES = frozenset(
    re.findall(
        r"\w+",
        """accept acquire add allow apply ask assert assign assume attach await back base batch bind bound bring buffer
        build cache call cap catch change check choose clean clear close commit compare compute configure confine
        confirm convert copy count cover create decide declare deduplicate define delay delete deny deploy derive design
        detect disable distinguish document drain drop enable encode enforce escape exclude exercise exit expect
        expire expose fail fence fetch filter find fix flush follow free generate give group guard handle hash hold
        identify ignore implement import include increment index initialise initialize inject inspect install
        isolate keep key label let limit list load lock log look lower make map mark mask match measure merge mock
        monitor move name narrow normalise normalize note open order override pad parse pass pin place plan prefer
        prepare preserve prevent process produce prohibit promote propagate protect prove provide publish put query
        queue quote raise read rebuild record recover redact reduce refer refuse register reject release reload rely
        remove rename render renew repeat replace report represent request require reserve reset resolve restart
        restore restrict retry return reuse review revoke roll rotate round run sanitise sanitize save schedule
        scope search select send separate serialise serialize serve set share ship show sign signal size skip sort
        specify split stage start state stop store strip subscribe switch synchronise synchronize tag take tell
        terminate test tie time track translate treat trim truncate trust try turn understand unlock update upgrade
        use validate verify version wait warm warn watch weigh wrap write""",
    )
)
# In ASCII a name ends where Chinese begins: there is no space between 为 and redis.
_LEAKS = (
    (
        "a path or file name",
        re.compile(r"(?:[A-Za-z]:\\|/|\./|~/)[\w.-]+(?:/[\w.-]+)+|\b[\w-]+\.[a-z]{1,4}\b(?<!e\.g)(?<!i\.e)", re.ASCII),
    ),
    ("an identifier", re.compile(r"\b\w+_\w+\b|\b(?:[A-Z][a-z0-9]+){2,}\b|\b[a-z]+[A-Z]\w+\b|`", re.ASCII)),
    ("a call", re.compile(r"\b\w+(?:::|\.)\w+\(|\b\w+::\w+|\w+\(\)", re.ASCII)),
    (
        "a version, number or reference",
        re.compile(
            r"#\d+|\bv?\d+\.\d+[\w.]*|\d{4}-\d\d-\d\d|\b(?!(?:UTF|SHA|AES|ISO)-)[A-Z]{2,}-\d[\w-]*|\b[0-9a-f]{9,40}\b",
            re.ASCII,
        ),
    ),
    (
        "quoted code",
        re.compile(r"[\"“][^\"”]*[={}<>|$][^\"”]*[\"”]|(?<![A-Za-z0-9])['‘][^'’]*[={}<>|$][^'’]*['’](?![A-Za-z0-9])"),
    ),
    (
        "a person",
        re.compile(
            r"(?<![\w.])@[A-Za-z][\w-]+|\b[\w.+-]+@[\w-]+\.\w+"
            r"|\b(?:[Aa]sk|[Tt]ell|[Pp]ing|[Cc]ontact|[Cc]onsult|[Nn]otify|[Mm]r\.?|[Mm]rs\.?|[Mm]s\.?|[Dd]r\.?)"
            r"\s+(?!I\b)[A-Z][a-z]+\b(?!\s+(?:API|team|support|server|service|CLI)\b)"
            r"|(?:找|联系|告诉|通知|请教|询问)[老小]?[王李张刘陈杨赵吴徐孙郭][\u4e00-\u9fff]{1,2}(?=[，。、：；！？\s]|确认|审批|批准|同意|$)"
        ),
    ),
)
_EVERYBODYS = frozenset(
    re.findall(
        r"\w+",
        """admin agent agents android api apis app apps auth backend backup base benchmark bin bot build cache ci cli
        client clients cloud cmd code common config container core crawler cron dashboard data database db deploy
        desktop dev devops doc docker docs documentation email engine event events example examples frontend gateway
        git github gitlab graph helper helpers home html http image images import index infra infrastructure ios job
        jobs js json kernel lib library libs linux log logger logging logs mail main master message messages metrics
        mobile model models module monitor network node notes package packages parser payment payments pipeline
        platform plugin plugins portal project projects prototype proxy python queue repo report reports repository
        router runner rust scheduler schema script scripts sdk search security server servers service services settings
        site sql src stack storage store stream system task tasks template templates test testing tests tool tooling
        tools typescript url user users util utils web webapp website worker workers workflow workspace www""",
    )
)
"""Words of the trade: as a part of a project's name they name nothing, and a rule may speak of them."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_FRAME = re.compile(r"^(?:on|when|whenever|before|after|if|for|in|while|with|during|once|at)\b[^,]*,\s*", re.IGNORECASE)


def is_normative(sentence: str) -> bool:
    """Tell whether a sentence says what to do: it opens with an imperative or holds a modal verb (en, zh)."""
    if _NORMATIVE.search(sentence):
        return True
    first = re.match(r"[A-Za-z']+", _FRAME.sub("", sentence.strip()))
    return bool(first and first.group(0).lower() in _IMPERATIVES)


def length_in_words(sentence: str) -> float:
    """Return the number of words, two Chinese characters counting as one."""
    return len(re.findall(r"[A-Za-z0-9'-]+", sentence)) + len(_HAN.findall(sentence)) / 2


def principle_problems(sentence: str, names: Iterable[str] = ()) -> list[str]:
    """Return what keeps a sentence from standing as a rule, each in a few words; empty when it can.

    `names` are those of the projects that it must not speak of.
    """
    problems = [f"holds {what} ({found[0].strip()})" for what, pattern in _LEAKS if (found := pattern.search(sentence))]
    lowered = sentence.lower()
    problems += [f"names {name}" for name in names if _names(lowered, name)]
    if not is_normative(sentence):
        problems.append("does not say what to do")
    if not SHORTEST <= length_in_words(sentence) <= LONGEST:
        problems.append(f"is not between {SHORTEST} and {LONGEST} words long")
    return problems


def _names(lowered: str, name: str) -> bool:
    """Tell whether a project's name stands in the sentence, or a part of it that is no word of everybody's."""
    whole = name.lower()
    own = {part for part in re.split(r"[/:]", whole) if len(part) > 2} - _EVERYBODYS
    wanted = {whole, *own} if len(whole) > 2 else own
    alone = (rf"(?<![\w-]){re.escape(each)}(?![\w-])" for each in wanted)
    return any(re.search(pattern, lowered, re.ASCII) for pattern in alone)
