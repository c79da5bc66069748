"""What is promised of every harness with a command line, a file for each group of statements."""
