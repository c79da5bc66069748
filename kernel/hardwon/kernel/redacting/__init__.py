"""Secrets are taken out of everything that is about to be kept, in one place, whoever writes it."""
