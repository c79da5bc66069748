"""Runs of `consolidate`: one at a time over all processes, recorded, made when due, and told in `status`."""
