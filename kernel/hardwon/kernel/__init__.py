"""The kernel: what hardwon is about, and nothing about how it is stored, shown or reached.

Values    scope, memory, relation, proposal, query, records
Doors     ports (what an adapter implements), hookspecs (how a plugin is found), registry, actions
Rules     text, ranking, identity (pure functions that every part and the hook program share)
Use cases use_cases/ (recall, import, consolidate, decide, forget), written against the ports alone
House     home (where things are kept), settings, errors, clock, ids

Nothing is imported here, so that a part pays only for what it uses.
"""
