"""Gemini CLI for hardwon."""
