"""The history: a git repository written object by object, and git's own index beside it."""
