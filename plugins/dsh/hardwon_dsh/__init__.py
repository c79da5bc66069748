"""DSH (DeepSeek Harness) for hardwon."""
