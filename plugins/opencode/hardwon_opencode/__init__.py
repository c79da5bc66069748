"""OpenCode for hardwon."""
