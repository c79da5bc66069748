"""Whether two texts say the same, more, the opposite or something else: what the write gate goes by.

Similarity cannot tell. A contradiction lies closer to a text than a paraphrase does (measured with three models), so
nearness only proposes that two texts speak of one subject. What differs between them decides: numbers, units, dates,
paths, names, negation, opposites. A wrong merge is worse than a missed one: what cannot be explained is DISTINCT.
Standard library alone. `comparing.py` is the door; the figures are in docs/decisions/0026-duplicates-and-conflicts.md.
"""
