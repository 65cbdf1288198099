"""Exact arithmetic, and when floating point is certain."""
