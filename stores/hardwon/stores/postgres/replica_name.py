"""The name of the copy that a home keeps of what is on the server, which the hook program has to know too."""

FILE_NAME = "replica.sqlite"
REFRESHED_KEY = "refreshed"
"""The key of `meta` under which the copy says when it was compared with the server last, in seconds since 1970."""
