"""The hook program shows an agent what is for any and what is for it, at a session's start and to a prompt."""

from __future__ import annotations

from hardwon.kernel.memory import Kind, Strength
from hardwon.kernel.relation import RelationKind

from .conftest import Place

PROMPT = "how do I retry the payment gateway after a timeout?"


def test_neither_start_nor_prompt_shows_what_is_for_another_agent(place: Place) -> None:
    """Found by itself, or brought by a rule, by a lesson, by what speaks against it or by what took its place."""
    other, own = {"agent": "codex"}, {"agent": "tester"}
    place.keep("HIDDEN-1: retry the payment gateway after a timeout.", scope=other, strength=Strength.HARD)
    place.keep("HIDDEN-2: retry the payment gateway after a timeout.", scope=other, kind=Kind.RULE)
    place.keep("HIDDEN-3: retry the payment gateway after a timeout.", scope={"namespace": "other"})
    place.keep("HIDDEN-4: retry the payment gateway after a timeout.", scope={"agent": ""}, strength=Strength.HARD)
    seen = place.keep("SEEN-1: after a timeout, retry the payment gateway with a key.", scope=own)
    rule = place.keep("SEEN-2: send a key with every retry of a payment.", kind=Kind.RULE)
    for number, (source, kind, target) in enumerate(
        [
            ("new", RelationKind.SUPERSEDES, seen),
            ("new", RelationKind.CONTRADICTS, seen),
            ("new", RelationKind.GENERALIZES, seen),
            (rule, RelationKind.GENERALIZES, "new"),
        ]
    ):
        kind_of = Kind.RULE if source == "new" and kind is RelationKind.GENERALIZES else Kind.LESSON
        new = place.keep(f"HIDDEN-{5 + number}: timeouts of the gateway.", scope=other, kind=kind_of)
        place.link(new if source == "new" else source, kind, new if target == "new" else target)  # type: ignore[arg-type]
    told = place.at_start() + place.told(PROMPT) + place.told("gateway timeouts", session="s2")
    assert "SEEN-1" in told
    assert "HIDDEN" not in told
