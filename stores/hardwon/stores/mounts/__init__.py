"""Mounted folders: Markdown trees that the user already has, searched where they stand and never written to."""
