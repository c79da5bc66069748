"""Models that answer as a script says, on loopback: one server, and a wire format for each protocol."""
