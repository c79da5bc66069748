"""The schedule: `serve` with its scheduler, timers of the system that start due runs, and the commands for them."""
