"""A home as it was believed to be at a moment: what every command reads that is given `--known-at`.

home      the home of then: the same, before a storage of then
memories  the memories, edges and topics of then
search    what answers a question by the words of then
"""
