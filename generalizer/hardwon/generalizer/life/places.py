"""Where lessons were learned, as far as they say so: languages, frameworks, namespaces, and the customer or product.

A rule whose lessons all say one thing of these holds there and need not hold elsewhere. That is suggested, never done:
the proposal shows it and the user may widen it. What a lesson does not say narrows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.scope import AppliesWhen, Scope

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry

_LANGUAGES = frozenset(
    re.findall(
        r"\S+",
        """ada bash c c# c++ clojure cobol cpp csharp dart elixir erlang f# fortran go golang groovy haskell java
        javascript julia kotlin lua ocaml perl php powershell python r ruby rust scala solidity sql swift typescript
        zig""",
    )
)
_FRAMEWORKS = frozenset(
    re.findall(
        r"\S+",
        """angular aspnet celery django electron express fastapi flask flutter gin hibernate laravel nestjs nextjs
        pytorch qt rails react spark spring svelte tensorflow tokio unity vue""",
    )
)
"""Tags that name where something was learned, as people write them."""
_BUSINESS = re.compile(r"(?:customer|client|product|workspace|team|tenant|客户|产品|团队)[:/=：].+", re.IGNORECASE)
"""A tag that names whose rules these are."""
KINDS = ("languages", "frameworks", "tags")


def place_of(lesson: MemoryEntry) -> AppliesWhen:
    """Return what a lesson says of where it was learned: by its own narrowing, and by its tags."""
    own, tags = lesson.scope.applies_when, [tag.casefold() for tag in lesson.tags]
    return AppliesWhen(
        languages=_joined(own.languages, [tag for tag in tags if tag in _LANGUAGES]),
        frameworks=_joined(own.frameworks, [tag for tag in tags if tag in _FRAMEWORKS]),
        tags=_joined(own.tags, [tag for tag in tags if _BUSINESS.fullmatch(tag)]),
    )


def common_place(lessons: Sequence[MemoryEntry]) -> AppliesWhen:
    """Return what every one of the lessons says of its place, and all say alike; nothing where one says nothing."""
    places = [place_of(lesson) for lesson in lessons]
    return AppliesWhen(**{kind: _shared([getattr(each, kind) for each in places]) for kind in KINDS})


def common_scope(lessons: Sequence[MemoryEntry]) -> Scope:
    """Return where a rule of these lessons holds: everywhere, less what all of them have in common."""
    namespaces = {lesson.scope.namespace for lesson in lessons}
    scope = Scope(applies_when=common_place(lessons))
    return scope.model_copy(update={"namespace": namespaces.pop()}) if len(namespaces) == 1 else scope


def separating_place(lessons: Sequence[MemoryEntry], against: Sequence[MemoryEntry]) -> AppliesWhen | None:
    """Return where those that speak for a rule were learned and none that speaks against it; None where none tells."""
    supporting, opposing = ([place_of(each) for each in some] for some in (lessons, against))
    for kind in KINDS:
        inside = [getattr(each, kind) for each in supporting]
        outside = [getattr(each, kind) for each in opposing]
        if not inside or not outside or not all(inside) or not all(outside):
            continue
        wanted = dict.fromkeys(value for values in inside for value in values)
        if set(wanted).isdisjoint(value for values in outside for value in values):
            return AppliesWhen(**{kind: tuple(sorted(wanted))})
    return None


def told_place(place: AppliesWhen) -> str:
    """Return a place in words; empty for everywhere."""
    words = {"languages": "in", "frameworks": "with", "tags": "for"}
    parts = [f"{word} {', '.join(getattr(place, kind))}" for kind, word in words.items() if getattr(place, kind)]
    return " ".join(parts)


def _joined(own: Sequence[str], tagged: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*(value.casefold() for value in own), *tagged]))


def _shared(values: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the values that all have, in the order of the first."""
    if not values:
        return ()
    return tuple(value for value in values[0] if all(value in each for each in values[1:]))
