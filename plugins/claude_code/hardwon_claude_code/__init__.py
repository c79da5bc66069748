"""Claude Code for hardwon."""
