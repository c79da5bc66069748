"""Takes secrets and private spans out of values: of every text in them, however deep it stands."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel

from hardwon.kernel.batches import batches
from hardwon.kernel.ids import is_own_id
from hardwon.kernel.secrets import find_known, masked, without_private

if TYPE_CHECKING:
    from hardwon.kernel.ports import Redactor
    from hardwon.kernel.session import Turn

T = TypeVar("T")

PRIVATE = "private text"
"""The sort of what stood between `<private>` and `</private>`."""
_NAMES = (
    *("id", "session", "turn", "message", "memory", "proposal", "revision", "undoes", "follows"),
    *("idempotency_key", "external_id", "taken_by"),
)
"""Fields that name something: random by nature, so that only secrets of known formats are looked for."""
MOST_REMEMBERED = 512
_clean: dict[int, tuple[Redactor, Turn]] = {}
"""Turns without secrets by their `id`, which is theirs as long as they stand here; they cannot change."""
TOGETHER, LONGEST_TOGETHER = 16, 16_000
"""Values, and characters of them, that are looked through together: where there is a secret, each is once more."""
_APART = "\n\0\n"
_NO_TEXTS: set[type] = {type(None), float, int, bool, datetime}
"""Types in which no text stands that anybody wrote; enumerations are added as they are met."""


def redacted(redactor: Redactor, value: T) -> tuple[T, tuple[str, ...]]:
    """Return a value without its secrets, and their sorts; the value itself where it has none."""
    if _is_clean(redactor, _texts(value)):
        return value, ()
    taking = _Taking(redactor)
    return cast("T", taking.value(value)), tuple(taking.found)


def all_redacted(redactor: Redactor, values: Sequence[T]) -> list[T]:
    """Return values without their secrets; some are looked through together, which takes half as long."""
    found: list[T] = []
    for some in batches(values, TOGETHER):
        texts = [text for each in some for text in _texts(each)]
        if sum(map(len, texts)) <= LONGEST_TOGETHER and _is_clean(redactor, texts):
            found += some
        else:
            found += [redacted(redactor, each)[0] for each in some]
    return found


def _is_clean(redactor: Redactor, texts: Iterable[str]) -> bool:
    """Tell whether there is no secret and nothing private in texts, put so that none goes on in the next."""
    together = _APART.join(texts)
    return without_private(together) is together and not redactor.redact(together).found


def redacted_turn(redactor: Redactor, turn: Turn) -> Turn:
    """Return a turn without its secrets; one that this function made a moment ago is not looked through again.

    A captured turn passes here several times: before anybody cuts its texts, when it is looked up, when it is written.
    """
    if _clean.get(id(turn), (None, None)) == (redactor, turn):
        return turn
    clean, _ = redacted(redactor, turn)
    while len(_clean) >= MOST_REMEMBERED:
        _clean.pop(next(iter(_clean), 0), None)
    _clean[id(clean)] = (redactor, clean)
    return clean


def sentence(sorts: Iterable[str]) -> str:
    """Return what was taken out, in a sentence; empty where nothing was."""
    counts = Counter(sorts)
    if not counts:
        return ""
    named = ", ".join(f"{number} × {sort}" if number > 1 else sort for sort, number in sorted(counts.items()))
    return f"Taken out and not kept: {named}."


def _texts(value: Any) -> list[str]:
    """Return the texts in a value; of a mapping, each with its name, which may be what tells that it is a secret."""
    found: list[str] = []
    _gather(value, found)
    return found


def _gather(value: Any, found: list[str]) -> None:
    """Add the texts in a value to those that were found; every memory and turn that is kept or read passes here."""
    sort = type(value)
    if sort is str:
        found.append(value)
    elif isinstance(value, BaseModel):
        for name, each in value.__dict__.items():
            if type(each) is str:
                if name != "id" or not is_own_id(each):
                    found.append(each)
            elif type(each) not in _NO_TEXTS:
                _gather(each, found)
    elif isinstance(value, Enum):
        _NO_TEXTS.add(sort)
    elif isinstance(value, str):
        found.append(value)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            found += [_assignment(name, text) for text in _texts(each)]
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            _gather(each, found)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            _gather(getattr(value, field.name), found)


def _assignment(name: object, text: str) -> str:
    return f'{name} = "{text}"'


class _Taking:
    """One value on its way, and the sorts that were found in it so far."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.found: list[str] = []

    def value(self, value: Any, field: str = "") -> Any:
        if isinstance(value, str):
            return value if isinstance(value, Enum) else self._text(value, field)
        if isinstance(value, BaseModel):
            changes = self._changes(value, type(value).model_fields)
            return value.model_copy(update=changes) if changes else value
        if isinstance(value, Mapping):
            return {self.value(name): self._named(name, each) for name, each in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return type(value)(self.value(each, field) for each in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            changes = self._changes(value, [each.name for each in dataclasses.fields(value)])
            return dataclasses.replace(value, **changes) if changes else value
        return value

    def _changes(self, value: object, names: Iterable[str]) -> dict[str, Any]:
        """Return the fields of a value that are others without their secrets."""
        before = {name: getattr(value, name) for name in names}
        after = {name: self.value(each, name) for name, each in before.items()}
        return {name: each for name, each in after.items() if each != before[name]}

    def _text(self, text: str, field: str) -> str:
        if field in _NAMES:
            secrets = find_known(text)
            self.found += [sort for _, _, sort in secrets]
            return masked(text, secrets)
        open_text = without_private(text)
        self.found += [PRIVATE] * (open_text != text)
        result = self._redactor.redact(open_text)
        self.found += result.found
        return result.text

    def _named(self, name: Any, value: Any) -> Any:
        """Return what stands under a name; a text that this name shows to be a secret goes whole."""
        after = self.value(value, str(name))
        if isinstance(after, str) and after == value and not isinstance(value, Enum):
            found = self._redactor.redact(_assignment(name, value)).found
            if found and not self._redactor.redact(f'{name} = ""').found:
                self.found.append(found[0])
                return f"[redacted: {found[0]}]"
        return after
