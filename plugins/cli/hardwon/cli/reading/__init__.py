"""Readers of files that people and programs have already: JSON Lines, and Markdown with lessons among other things."""
