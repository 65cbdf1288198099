"""The fewest mistakes: hyperplanes from above, conflicts from below."""
