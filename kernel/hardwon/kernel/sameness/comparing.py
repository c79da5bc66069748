"""Compares two texts: the door of this package."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from hardwon.kernel.sameness.reading import Reading, Token, read
from hardwon.kernel.sameness.verdict import Sameness, Verdict
from hardwon.kernel.sameness.vocabulary import vocabulary

SAME_SUBJECT = 0.5
"""The share of the shorter text's concepts that the other one has too, from which on both speak of one subject."""
LONGEST = 4_000
"""Characters of a text that is compared: a longer one says many things, and each word of the one is held against each
of the other, under the writers' lock."""
LONGEST_CHANGE = 3
"""Concepts that may stand in one place in a text and be other ones in the other."""
_CHOOSING = ("use prefer pick choose adopt with 使用 采用 用 改用", "by via 由", "as into 为 是 改为 name")
"""What stands before something that was chosen, so that another choice contradicts."""
_PUTTING = "store save live keep log write announce publish deploy 存储 保存 存放 部署 写入"
"""What is done to a thing in one place only, so that another place contradicts."""
_IN_A_PLACE = "in on at to into 在 到"
_OWNING = "review manage own approve maintain lead 审核 管理 负责"
"""What one does and no other."""


@dataclass(frozen=True, slots=True)
class _Difference:
    """What one text says and the other does not."""

    earlier: tuple[Token, ...]
    later: tuple[Token, ...]


def compare(earlier: str, later: str, *, nearness: float | None = None) -> Verdict:
    """Return what a later text is to an earlier one.

    `nearness` is the cosine of their vectors as a multiple of the threshold of their embedder and language
    (`thresholds.py`): from 1 on they speak of one subject, however few words they share.
    """
    if max(len(earlier), len(later)) > LONGEST:
        return Verdict(Sameness.DISTINCT, "one of them is too long to be compared")
    one, other = read(earlier), read(later)
    if not one.content or not other.content:
        return Verdict(Sameness.DISTINCT, "one of them says nothing that can be compared")
    return replace(_compared(one, other, nearness or 0.0), changes_mind=other.changes_mind)


def _compared(one: Reading, other: Reading, nearness: float) -> Verdict:
    earlier, later = one.content, other.content
    left = _Difference(
        tuple(token for form, token in earlier.items() if form not in later),
        tuple(token for form, token in later.items() if form not in earlier),
    )
    shared = [form for form in earlier if form in later]
    turned_down = _turned_down(one, other)
    if turned_down:
        rest = min(len(earlier.keys() - other.denied), len(later.keys() - one.denied))
        others = [token for token in left.earlier + left.later if token.form not in one.denied | other.denied]
        if shared and len(shared) >= SAME_SUBJECT * rest and _size(others) <= 2 * LONGEST_CHANGE:
            return Verdict(Sameness.CONTRADICTION, f"one turns down “{turned_down}”")
    if len(shared) < SAME_SUBJECT * min(len(earlier), len(later)) and not (shared and nearness >= 1):
        return Verdict(Sameness.DISTINCT, "they share too little")
    elsewhere = _elsewhere(one, other, left)
    if elsewhere:
        return Verdict(Sameness.DISTINCT, elsewhere)
    left = _without_generic(left, shared)
    if one.is_negated != other.is_negated:
        return _negated(left)
    exclusive = _exclusive(left)
    if exclusive:
        return exclusive
    if left.earlier and left.later:
        return _replaced(one, other, left)
    if left.earlier or left.later:
        return _longer(left, shared)
    return _ordered(one, other)


def _turned_down(one: Reading, other: Reading) -> str | None:
    """Return what one says and the other turns down; None where there is no such thing."""
    for denied, content in ((other.denied, one.content), (one.denied, other.content)):
        for form in denied:
            if form in content:
                return content[form].shown
    return None


def _elsewhere(one: Reading, other: Reading, left: _Difference) -> str | None:
    """Return why both may be true, each of another thing; None where nothing says so."""
    known = vocabulary()
    for before, after in product(left.earlier, left.later):
        if before.sort == after.sort == "identity":
            return f"{before.shown} and {after.shown} are two things"
        if known.place(before.form, after.form):
            return f"one is of {before.shown}, the other of {after.shown}"
    if one.tells_event and other.tells_event and any(each.sort == "value" for each in left.earlier + left.later):
        return "they are two events"
    return None


def _without_generic(left: _Difference, shared: Sequence[str]) -> _Difference:
    """Leave out what a thing does with its value, where enough else is shared."""
    if len(shared) < 2:
        return left
    generic = vocabulary().generic
    return _Difference(
        tuple(token for token in left.earlier if token.form not in generic),
        tuple(token for token in left.later if token.form not in generic),
    )


def _negated(left: _Difference) -> Verdict:
    """Judge two texts of which one is negated."""
    pairs = _pairs(left, vocabulary().opposite)
    rest = _without(left, pairs)
    if pairs and not rest.earlier and not rest.later:
        return Verdict(Sameness.DUPLICATE, f"what is no “{pairs[0][0].shown}” is “{pairs[0][1].shown}”")
    if not pairs and _is_small(left):
        return Verdict(Sameness.CONTRADICTION, "one is negated")
    return Verdict(Sameness.DISTINCT, "one is negated, and they speak of other things")


def _exclusive(left: _Difference) -> Verdict | None:
    """Judge what excludes each other: values of one dimension, opposites, choices of one group."""
    known = vocabulary()
    for excludes in (_other_value, known.opposite, known.choice):
        pairs = _pairs(left, excludes)
        if pairs:
            told = ", ".join(f"{before.shown} ≠ {after.shown}" for before, after in pairs)
            if _is_small(_without(left, pairs)):
                return Verdict(Sameness.CONTRADICTION, told)
            return Verdict(Sameness.DISTINCT, f"{told}, and they speak of other things")
    return None


def _pairs(left: _Difference, excludes: Callable[..., bool]) -> list[tuple[Token, Token]]:
    """Return what excludes each other, each token in one pair at most."""
    pairs: list[tuple[Token, Token]] = []
    for before, after in product(left.earlier, left.later):
        given = (before, after) if excludes is _other_value else (before.form, after.form)
        if excludes(*given) and not any(before is one or after is other for one, other in pairs):
            pairs.append((before, after))
    return pairs


def _other_value(before: Token, after: Token) -> bool:
    return before.sort == after.sort == "value" and before.dimension == after.dimension


def _without(left: _Difference, pairs: Sequence[tuple[Token, Token]]) -> _Difference:
    taken = {id(token) for pair in pairs for token in pair}
    return _Difference(
        tuple(token for token in left.earlier if id(token) not in taken),
        tuple(token for token in left.later if id(token) not in taken),
    )


def _is_small(left: _Difference) -> bool:
    """Tell whether at most one text says more than the other, and not much."""
    return not (left.earlier and left.later) and _size(left.earlier + left.later) <= LONGEST_CHANGE


def _replaced(one: Reading, other: Reading, left: _Difference) -> Verdict:
    """Judge two texts that say other things in one place."""
    before, after = left.earlier, left.later
    short = max(_size(before), _size(after)) <= LONGEST_CHANGE
    if short and _is_run(before, one.content) and _is_run(after, other.content):
        place = _place_of_one(one, before)
        if place is not None and place == _place_of_one(other, after):
            return Verdict(Sameness.CONTRADICTION, f"{_shown(before)} ≠ {_shown(after)}")
    return Verdict(Sameness.DISTINCT, f"“{_shown(before)}” is not “{_shown(after)}”", is_open=True)


def _size(tokens: Sequence[Token]) -> float:
    """Count the words; a Chinese character is half a one."""
    return sum(0.5 if len(token.shown) == 1 and not token.shown.isascii() else 1 for token in tokens)


def _place_of_one(reading: Reading, some: Sequence[Token]) -> str | None:
    """Return the place in a text that holds one thing at a time, if these stand in such a place: a choice, an owner."""
    known = vocabulary()
    place = reading.tokens.index(some[0])
    for choosing in _CHOOSING:
        if some[0].before in known.concepts(choosing):
            return choosing
    putting, owning = known.concepts(_PUTTING), known.concepts(_OWNING)
    if some[0].before in known.concepts(_IN_A_PLACE):
        return _IN_A_PLACE if any(token.form in putting for token in reading.tokens[:place]) else None
    following = reading.tokens[place + len(some) : place + len(some) + 1]
    owns = place == 0 and some[0].shown[:1].isupper() and any(token.form in owning for token in following)
    return _OWNING if owns else None


def _is_run(some: Sequence[Token], content: Mapping[str, Token]) -> bool:
    """Tell whether tokens stand side by side."""
    places = [list(content).index(token.form) for token in some]
    return places == list(range(places[0], places[0] + len(places)))


def _shown(tokens: Sequence[Token]) -> str:
    return " ".join(token.shown for token in tokens)


def _longer(left: _Difference, shared: Sequence[str]) -> Verdict:
    more = left.earlier or left.later
    if len(shared) < 2:
        return Verdict(Sameness.DISTINCT, "they share too little")
    return Verdict(Sameness.REFINEMENT, f"{'the earlier' if left.earlier else 'the later'} one adds “{_shown(more)}”")


def _ordered(one: Reading, other: Reading) -> Verdict:
    """Judge two texts of the same concepts by the order of these."""
    first, second = ([token.form for token in each.tokens if token.sort != "connector"] for each in (one, other))
    ordering, other_ordering = (
        {token.form for token in each.tokens if token.sort == "connector"} for each in (one, other)
    )
    if any(vocabulary().opposite(*pair) for pair in product(ordering - other_ordering, other_ordering - ordering)):
        return Verdict(Sameness.CONTRADICTION, "before is not after")
    generic = vocabulary().generic
    first, second = ([form for form in each if form not in generic] for each in (first, second))
    if first == second or one.is_passive != other.is_passive:
        return Verdict(Sameness.DUPLICATE, "they say the same")
    swapped = ordering == other_ordering and any(_changed_round(one, other, connector) for connector in ordering)
    if swapped:
        return Verdict(Sameness.CONTRADICTION, "the same with both sides changed round")
    if second in [first[place:] + first[:place] for place in range(len(first))]:
        return Verdict(Sameness.DUPLICATE, "they say the same in another order")
    return Verdict(Sameness.DISTINCT, "the same words in other places", is_open=True)


def _changed_round(one: Reading, other: Reading, connector: str) -> bool:
    """Tell whether what stood before a connector stands behind it now, and the other way round."""
    (left, right), (other_left, other_right) = (_sides(each, connector) for each in (one, other))
    return bool(left - other_left and right - other_right)


def _sides(reading: Reading, connector: str) -> tuple[set[str], set[str]]:
    forms = [token.form for token in reading.tokens]
    place = forms.index(connector)
    return set(forms[:place]), set(forms[place + 1 :])
