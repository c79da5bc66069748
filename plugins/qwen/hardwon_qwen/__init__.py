"""Qwen Code for hardwon."""
