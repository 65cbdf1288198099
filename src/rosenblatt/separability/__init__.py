"""Decide whether classes are separable, prove it, count the fewest mistakes."""
