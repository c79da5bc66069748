"""What this distribution offers to hardwon."""
