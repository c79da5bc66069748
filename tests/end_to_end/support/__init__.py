"""What the end-to-end scripts share: pinned programs, fake models, throw-away homes and projects, and their report."""
