"""Runs: points, a learner on them, and what its log tells of every hypothesis."""
