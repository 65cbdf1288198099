"""The loop, its log, and everything that is read off the log."""
