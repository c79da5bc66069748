"""Proposal: what the machine suggests. Decision: what the user made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from pydantic import Field

from hardwon.kernel.memory import MemoryEntry, Moment, Share
from hardwon.kernel.scope import Scope, Value

FORGOTTEN = "(forgotten)"
"""Stands in a proposal for the words of a lesson that the user forgot."""
_MACHINES_WORDING = "proposed_rule"
"""The metadata key that keeps the machine's wording where a person has put their own."""
_MACHINES_FIELDS = "proposed"
"""The metadata key that keeps the machine's own value of other fields that a person changed."""
_DRAFT = "draft"
"""The metadata key that says who worded it in the generalizer's stead, with the generalizer's own words."""
PROPOSED_BY = "proposed_by"
"""The metadata key that names who else than the generalizer proposed it."""
STOOD = "stood"
"""The metadata key that keeps, while a proposal is accepted, what it changed as that was before."""
WAITED_AS = "waited_as"
"""The metadata key that keeps, while a proposal is accepted in other words, those in which it waited."""
_OF_ACCEPTANCE = (STOOD, WAITED_AS)
_EVIDENCE = ("instances", "against")
LEFT_OUT = "left_out"
"""The metadata key that names the lessons that a person took out of a proposal."""
LONGEST_EVIDENCE = 280
"""Characters of a lesson's words in a proposal."""


class ProposalKind(StrEnum):
    """What would change."""

    NEW_RULE = "new-rule"
    REFINE = "refine"
    MERGE = "merge"
    SPLIT = "split"
    NARROW = "narrow"
    RETIRE = "retire"
    SETTLE = "settle-conflict"
    TIDY = "tidy"


class Action(StrEnum):
    """What a reviewer can do; also what the machine suggests."""

    ACCEPT = "accept"
    REWRITE = "rewrite"
    REJECT = "reject"


class ProposalState(StrEnum):
    """Pending until a person decides; a withdrawn one lost its evidence before anyone decided."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


DECIDED = (ProposalState.ACCEPTED, ProposalState.REJECTED)


class Instance(Value):
    """A lesson that a proposal covers, or that speaks against it, as it was when proposed."""

    id: str
    external_id: str | None = None
    project: str | None = None
    revision: str
    evidence: str
    """The lesson's words, shortened for the reviewer."""


def instance_of(lesson: MemoryEntry) -> Instance:
    """Return a lesson as a proposal speaks of it, its words on one line."""
    line = " ".join(lesson.content.split())
    return Instance(
        id=lesson.id,
        external_id=lesson.external_id,
        project=lesson.scope.project,
        revision=lesson.revision,
        evidence=line if len(line) <= LONGEST_EVIDENCE else line[: LONGEST_EVIDENCE - 1].rstrip() + "…",
    )


class Part(Value):
    """One of the rules that would stand after a rule is split."""

    rule: str
    translations: dict[str, str] = Field(default_factory=dict)
    scope: Scope = Field(default_factory=Scope)
    topic: str = ""
    instances: tuple[str, ...] = ()
    """The ids of its lessons; each is among the proposal's instances."""


class Proposal(Value):
    """A candidate change for the user to decide. Its id stays the same while it speaks of the same evidence."""

    id: str
    kind: ProposalKind = ProposalKind.NEW_RULE
    rule: str
    """One sentence that says what to do; empty where no principle fits and the user must write it."""
    translations: dict[str, str] = Field(default_factory=dict)
    """The same sentence in other languages, by ISO 639-1 code."""
    situation: str = ""
    """Tasks that the rule is for, in the words people ask for them with; the rule is found by them."""
    rationale: str = ""
    topic: str = ""
    scope: Scope = Field(default_factory=Scope)
    instances: tuple[Instance, ...] = ()
    against: tuple[Instance, ...] = ()
    targets: tuple[Instance, ...] = ()
    """What it would change, at the revision it was proposed on: the rule that is refined, split, narrowed or retired,
    the rules that are merged, the memories whose conflict is settled (the older first). Empty for a new rule."""
    parts: tuple[Part, ...] = ()
    """What a split would leave in place of its target."""
    confidence: Share = 0.5
    confidence_parts: dict[str, float] = Field(default_factory=dict)
    suggested_action: Action = Action.ACCEPT
    state: ProposalState = ProposalState.PENDING
    created_at: Moment
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def projects(self) -> tuple[str, ...]:
        """Return the distinct projects of its lessons, in order of first appearance."""
        return tuple(dict.fromkeys(each.project for each in self.instances if each.project))

    @property
    def is_generalized(self) -> bool:
        """Tell whether the generalizer proposed it, who may also refresh or withdraw it."""
        return PROPOSED_BY not in self.metadata

    @property
    def worded_by(self) -> str | None:
        """Return who worded it in the generalizer's stead: an agent; None where nobody did."""
        draft = self.metadata.get(_DRAFT)
        return str(draft.get("by")) if isinstance(draft, dict) else None

    @property
    def worded(self) -> str:
        """Return a sentence that says who worded it in the generalizer's stead; empty where nobody did."""
        if self.worded_by is None:
            return ""
        own = self.generalized.rule
        if own == self.proposed_rule:
            return f"{self.worded_by} looked at the generalizer's wording and kept it."
        told = f"the generalizer's own wording was: “{own}”" if own else "the generalizer had no wording"
        return f"Worded by {self.worded_by}; {told}."

    @property
    def generalized(self) -> Proposal:
        """Return it as the generalizer made it, whatever an agent or a person made of that."""
        own = self.reworded(self.proposed_rule).changed_by_hand(**self._machines_fields)
        metadata = {key: value for key, value in own.metadata.items() if key not in (_DRAFT, *_OF_ACCEPTANCE)}
        draft = own.metadata.get(_DRAFT)
        if not isinstance(draft, dict):
            return own.model_copy(update={"metadata": metadata})
        wording = {"rule": draft["rule"], "translations": draft["translations"]}
        return own.model_copy(update={**wording, "metadata": metadata})

    @property
    def edited(self) -> bool:
        """Tell whether the rule is in a person's words."""
        return _MACHINES_WORDING in self.metadata

    @property
    def proposed_rule(self) -> str:
        """Return the machine's wording, whatever a person made of it."""
        return str(self.metadata.get(_MACHINES_WORDING, self.rule))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return the ids of the lessons that a person took out of it."""
        return tuple(map(str, self.metadata.get(LEFT_OUT) or ()))

    def without_words_of(self, memory: str) -> Proposal:
        """Return it with nothing left of what a memory said; that it was part of it stays known."""
        changes: dict[str, Any] = {
            name: tuple(
                each.model_copy(update={"evidence": FORGOTTEN, "external_id": None}) if each.id == memory else each
                for each in getattr(self, name)
            )
            for name in ("instances", "against", "targets")
        }
        metadata = dict(self.metadata)
        if self.kind is ProposalKind.SETTLE and memory in {each.id for each in self.targets}:
            changes |= {"rule": FORGOTTEN, "rationale": FORGOTTEN}  # they quote the memories in conflict
            metadata |= {name: FORGOTTEN for name in (_MACHINES_WORDING, WAITED_AS) if name in metadata}
        if STOOD in metadata:
            metadata[STOOD] = _without(memory, metadata[STOOD])
        return self.model_copy(update={**changes, "metadata": metadata})

    def leaving_out(self, lessons: Iterable[str]) -> Proposal:
        """Return it without these lessons, which a person took out: they belong to another cause."""
        gone = tuple(dict.fromkeys([*self.left_out, *lessons]))
        if not gone:
            return self
        kept = {name: tuple(each for each in getattr(self, name) if each.id not in gone) for name in _EVIDENCE}
        parts = tuple(
            part.model_copy(update={"instances": tuple(id for id in part.instances if id not in gone)})
            for part in self.parts
        )
        return self.model_copy(update={**kept, "parts": parts, "metadata": {**self.metadata, LEFT_OUT: list(gone)}})

    def changed_by_hand(self, **fields: Any) -> Proposal:
        """Return it with fields as a person put them, the machine's own values kept beside; these put back are none."""
        if not fields:
            return self
        changed = Proposal.model_validate({**self.model_dump(), **fields})
        before, after = self.model_dump(mode="json"), changed.model_dump(mode="json")
        machines = {name: before[name] for name in fields} | self._machines_fields
        machines = {name: value for name, value in machines.items() if after[name] != value}
        metadata = {key: value for key, value in self.metadata.items() if key != _MACHINES_FIELDS}
        return changed.model_copy(update={"metadata": metadata | ({_MACHINES_FIELDS: machines} if machines else {})})

    @property
    def _machines_fields(self) -> dict[str, Any]:
        return dict(self.metadata.get(_MACHINES_FIELDS) or {})

    def drafted(self, words: str, by: str) -> Proposal:
        """Return it in an agent's words, with the generalizer's kept beside them; a person's edit must be none yet.

        The generalizer's own words may be given too: then an agent found that they are right.
        """
        known = self.metadata.get(_DRAFT)
        own = known if isinstance(known, dict) else {"rule": self.rule, "translations": self.translations}
        # The translations are of the generalizer's words.
        translations = own["translations"] if words == own["rule"] else {}
        metadata = {**self.metadata, _DRAFT: {**own, "by": by}}
        return self.model_copy(update={"rule": words, "translations": translations, "metadata": metadata})

    def worded_like(self, known: Proposal) -> Proposal:
        """Return it, fresh from the generalizer, as an agent and then a person had changed it before.

        What an acceptance that was cut off changed stays on record: only with that can it be put back.
        """
        fresh = self.drafted(known.proposed_rule, known.worded_by) if known.worded_by else self
        fresh = fresh.reworded(known.rule) if known.edited else fresh
        own = {name: getattr(known, name) for name in known._machines_fields}
        fresh = fresh.changed_by_hand(**own).leaving_out(known.left_out)
        cut_off = {key: known.metadata[key] for key in _OF_ACCEPTANCE if key in known.metadata}
        return fresh.model_copy(update={"metadata": fresh.metadata | cut_off}) if cut_off else fresh

    def reworded(self, words: str) -> Proposal:
        """Return it in a person's words with the machine's kept beside them; these put back are no edit."""
        metadata = {key: value for key, value in self.metadata.items() if key != _MACHINES_WORDING}
        if words != self.proposed_rule:
            metadata[_MACHINES_WORDING] = self.proposed_rule
        return self.model_copy(update={"rule": words, "metadata": metadata})


def _without(memory: str, stood: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a proposal keeps of what stood, without a memory and its edges, whose notes quote it."""
    return {
        name: {id: each for id, each in kept.items() if id != memory}
        if isinstance(kept, Mapping)
        else [edge for edge in kept if memory not in (edge["source"], edge["target"])]
        for name, kept in stood.items()
    }


class Decision(Value):
    """Who decided what, when, why, on which revisions, with the texts before and after. Kept for ever."""

    id: str
    proposal: str
    kind: ProposalKind = ProposalKind.NEW_RULE
    """Of the proposal."""
    action: str
    """accept, rewrite, reject or undo."""
    by: str
    at: Moment
    why: str = ""
    before: str = ""
    after: str = ""
    rule: str | None = None
    """The rule that was written or, for an undo, taken back."""
    revisions: dict[str, str] = Field(default_factory=dict)
    """Lesson id to the revision that was decided on."""
    targets: dict[str, str] = Field(default_factory=dict)
    """Id of what was changed, to the revision that was decided on; empty where something new was made."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Which lessons belong together by this decision: those of one group do, those of two do not."""
    undoes: str | None = None
    follows: str | None = None
    """The decision on the same proposal that was the last one before; clocks go back, this does not."""
