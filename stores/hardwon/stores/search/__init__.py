"""Search over memories that a database holds: keyword postings, vectors, and what ranking needs to know of each."""
