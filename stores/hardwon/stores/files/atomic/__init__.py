"""Writing that is whole or not there: files, locks, and the record of a change under way."""
