"""Rows wherever they are: decide and prove on the hard ones, check on all."""
