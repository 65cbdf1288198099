"""Rows that are not all in memory: blocks of a file, partitions of a cluster."""
