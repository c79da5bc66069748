"""A memory as a note: its place and name, its front matter, its links; text alone, without a disk."""
