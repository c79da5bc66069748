"""Consolidation, a module a step.

material    what a run looks at, read once: lessons, rules, proposals, decisions
queue       the review queue brought up to date with what the generalizer proposes
steps       what is done beside it, each step in an operation of its own
outcome     what a run did, and its record in the ledger
"""
