"""The name of the SQLite store's file, which the hook program has to know too."""

FILE_NAME = "memory.sqlite"
