"""What hardwon does, written against the ports: recall, import, embed, consolidate, decide, export, forget."""
