"""The demo: the whole loop on real lessons of real projects, in a memory of its own."""
