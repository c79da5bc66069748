"""The index, which is derived from the files: its tables, its rows, and one index after the other."""
