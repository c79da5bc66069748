"""The SQLite store: everything of a home in one file."""
