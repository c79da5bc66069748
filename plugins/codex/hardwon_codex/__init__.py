"""Codex for hardwon."""
