"""The review queue: proposals as Markdown documents that wait for the user's yes or no."""
