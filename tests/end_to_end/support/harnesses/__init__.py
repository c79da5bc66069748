"""The harnesses under test, a file each."""
