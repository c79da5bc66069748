"""Asking a language model: what every adapter's calls go through, whoever wrote the adapter.

governed   the one door: redact, look among known answers, cap, pace, ask within a deadline, repair once, record
spending   what was spent today and what may still be; reserved before a call, so that no two processes overspend
resting    after repeated failures a model is left alone, for longer each time
state      what of that processes share: one small file under a lock that is held for moments
answers    answers that are known already, by the hash of what was asked
reading    what models write, read as a value of a schema; json_text: as JSON, mended by rule or refused
deadline   an end to calls that never end
standing   how all that stands, for `status`
"""
