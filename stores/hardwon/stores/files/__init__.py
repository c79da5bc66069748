"""The files store: Markdown in a git repository is the truth, one memory a file; the index is derived from it."""
