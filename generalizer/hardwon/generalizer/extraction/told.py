"""A sentence of the agent's, with what happened around it, and what it looks like as numbers between 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hardwon.generalizer.extraction.cues import claimed_as, typed_as
from hardwon.generalizer.extraction.failures import is_edit
from hardwon.generalizer.extraction.passages import LONGEST_READ, Passage, length, passages
from hardwon.kernel.session import Message, Speaker, Turn

LEAST_WORDS = 6
"""Words below which a sentence tells nothing that was found."""

_NAMED = re.compile(r"`[^`]+`|\b\w+(?:[./_]\w+)+|\b[a-z]+[A-Z]\w*|\b\w+\(\)")
_NUMBER = re.compile(r"\d")
_OF_A_THING = re.compile(
    r"^\W*(?:the|it|its|they|this|that|there|these|each|every|a|an|on|in|with|two|all|our)\b|^`"
    r"|^[A-Z]\w+ (?:\w+ )?\w+s\b|^[\u3400-\u9fff]"
)
_OF_ONESELF = re.compile(r"^\W*(?:i|i['’]\w+|we|you|you['’]\w+|my)\b|^我|^您", re.IGNORECASE)
_OF_THE_WORK = re.compile(
    r"\W*(?:let me|let['’]s|now,? (?:i|let)|i['’]ll|i will"
    r"|i(?:['’]m| am) (?:going|now)|i (?:need|should|have)|i['’]ve|here(?:['’]s| is| are)|next,"
    r"|first,|done|perfect|great|shall i|我来|让我|接下来)\b",
    re.IGNORECASE,
)
"""How sentences begin that tell what the agent does or has done: most of what it says, and never a finding."""
_CLAIMS = (
    "outright", "limit", "never_done", "because", "trivial", "of_tests", "conceded", "delivered", "causal", "negated",
    "universal", "how_things_are", "how_things_were", "own_deed", "not_a_finding", "own_code", "mending", "fixed",
)  # fmt: skip
_TYPED = (
    "trouble", "task", "asking", "why", "you_did", "critique", "weighing", "specification", "status", "asks_of_past",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that the agent said, and where."""

    turns: Sequence[Turn]
    turn: int
    message: int
    said: Sequence[Passage]
    number: int
    """Which sentence of the message."""
    surroundings: Mapping[str, float]
    """What its message's place in the turn says."""

    @property
    def text(self) -> str:
        """Return the sentence."""
        return self.said[self.number].text

    @property
    def before(self) -> str:
        """Return the sentence before it; empty where it is the first."""
        return self.said[self.number - 1].text if self.number else ""

    @property
    def following(self) -> str:
        """Return the sentence after it; empty where it is the last."""
        return self.said[self.number + 1].text if self.number + 1 < len(self.said) else ""


def told_sentences(turns: Sequence[Turn], turn: int) -> Iterator[Told]:
    """Walk the agent's whole sentences in a turn; no question, heading or report of work, nor what it pasted."""
    messages = turns[turn].messages
    typed = _typed(turns[turn])
    for place, message in enumerate(messages):
        if message.by is Speaker.AGENT:
            said = passages(message.text)
            surroundings = typed | _surroundings(turns, turn, place)
            for number, passage in enumerate(said):
                if not passage.pasted and not _is_empty(passage.text):
                    yield Told(turns, turn, place, said, number, surroundings)


def _is_empty(sentence: str) -> bool:
    if sentence.endswith(("?", "？", ":", "：")) or _OF_THE_WORK.match(sentence):
        return True
    return length(sentence) < LEAST_WORDS


def told_features(told: Told) -> dict[str, float]:
    """Return what speaks for a sentence's being a finding worth keeping, and against it."""
    values = {**_within(told.text), **told.surroundings}
    later = any(_mends(each.text) for each in told.said[told.number + 1 :])
    values["deed_later"] = float(later or told.surroundings["deed_after"])
    values["announced"] = float(claimed_as("outright", told.before) or told.before.endswith((":", "：")))
    return values | _together(values)


@lru_cache(maxsize=2_000)
def _within(sentence: str) -> Mapping[str, float]:
    words = length(sentence)
    values = {cue: float(claimed_as(cue, sentence)) for cue in _CLAIMS}
    return values | {
        "cause": float(typed_as("cause", sentence)),
        "hedge": float(typed_as("hedge", sentence)),
        "of_environment": float(typed_as("environment", sentence)),
        "short": float(words <= 7),
        "full": float(words >= 12),
        "too_long": float(words > 45),
        "names": float(_NAMED.search(sentence) is not None),
        "numbers": float(_NUMBER.search(sentence) is not None),
        "colon": float(": " in sentence or "：" in sentence),
        "of_a_thing": float(_OF_A_THING.search(sentence) is not None),
        "of_oneself": float(_OF_ONESELF.search(sentence) is not None),
    }


def _typed(turn: Turn) -> dict[str, float]:
    """Return what the person's words in the turn look like."""
    typed = " ".join(each.text[:600] for each in turn.typed)
    values = {f"typed_{cue}": float(typed_as(cue, typed)) for cue in _TYPED}
    return values | {"typed_question": float(typed.rstrip().endswith(("?", "？")))}


def _surroundings(turns: Sequence[Turn], turn: int, place: int) -> dict[str, float]:
    messages = turns[turn].messages
    calls = [each for each in messages[:place] if each.by is Speaker.TOOL]
    failed = any(each.failed for each in calls)
    agent_after = any(each.by is Speaker.AGENT for each in messages[place + 1 :])
    reply = _reply(turns, turn, place)
    return {
        "deed_after": float(any(_is_deed(each) for each in messages[place + 1 :])),
        "guessed": float(typed_as("hedge", messages[place].text[:LONGEST_READ])),
        "last_message": float(not agent_after),
        "failed": float(failed),
        "worked_after": float(failed and not calls[-1].failed),
        "confirmed": float(claimed_as("confirmed", reply)),
        "doubted": float(claimed_as("overturned", reply)),
    }


@lru_cache(maxsize=4_000)
def _mends(text: str) -> bool:
    return claimed_as("own_deed", text) or claimed_as("will_mend", text)


def _is_deed(message: Message) -> bool:
    """Tell whether a message tells of a deed of the agent's, or is one: a call that changes a file."""
    if message.by is Speaker.AGENT:
        return _mends(message.text[:LONGEST_READ])
    return message.by is Speaker.TOOL and is_edit(message)


def _reply(turns: Sequence[Turn], turn: int, place: int) -> str:
    """Return the person's next words after a message."""
    after = [each for each in turns[turn].messages[place + 1 :] if each.by is Speaker.USER]
    if not after and turn + 1 < len(turns):
        after = list(turns[turn + 1].typed)
    return after[0].text[:200] if after else ""


def _together(values: Mapping[str, float]) -> dict[str, float]:
    """Return what only the meeting of cues says."""
    troubled = max(values["typed_trouble"], values["failed"], values["typed_why"])
    thing = values["of_a_thing"] * (1 - values["own_deed"])
    reason = max(values["causal"], values["because"], values["outright"], values["cause"])
    return {
        "explains_trouble": troubled * reason * (1 - values["of_oneself"]),
        "mended": thing * values["deed_later"],
        "thing_negated": thing * values["negated"],
        "thing_always": thing * values["universal"],
        "thing_as_it_is": thing * values["how_things_are"] * (1 - values["how_things_were"]),
        "reason_negated": reason * values["negated"],
        "untroubled": 1 - troubled,
        "task_without_trouble": values["typed_task"] * (1 - troubled),
        "answers_question": values["typed_question"] * (1 - values["deed_later"]),
    }
