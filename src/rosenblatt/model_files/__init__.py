"""Models as files that hold no code."""
