"""Where floating point looks for the answer: frames, working sets, squared slacks."""
