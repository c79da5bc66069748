"""Consolidation, a module a step.

material    what a run looks at, read once: lessons, rules, proposals, decisions
queue       the review queue brought up to date with what the generalizer proposes
steps       what is done beside it, each step in an operation of its own
last_look   whether anything is different from what the last run looked at
derived     what is kept from run to run
outcome     what a run did
"""
