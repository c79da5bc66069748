"""The detector of secrets of the box: known formats, the plugins of detect-secrets, and texts that are random."""
