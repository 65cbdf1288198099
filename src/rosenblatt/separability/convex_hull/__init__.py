"""Nearest points of convex hulls, and the distance between two."""
