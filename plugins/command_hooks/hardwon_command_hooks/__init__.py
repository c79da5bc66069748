"""What the adapters of coding agents with command hooks share."""
