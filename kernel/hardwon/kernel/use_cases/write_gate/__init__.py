"""The write gate: what a new memory is to those that stand. It never deletes, and never decides what is true.

- It says the same as one that holds wherever it would: that one is returned, and the new words are its evidence.
- A person says plainly that something changed (“from now on”, 不再): theirs supersedes the older one; both are kept.
- Both cannot hold, and nobody said which: both are marked as in conflict and the user is asked, once.
- It holds in a narrower place than what it contradicts: an exception, linked and left alone.
- Anything else, and whatever is in doubt: another memory.

At a single write only what the search finds by words is looked at; what was imported in bulk is examined in the
background (`examining.py`).
"""
