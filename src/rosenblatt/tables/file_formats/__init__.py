"""File formats: the batches of rows in a file of each."""
