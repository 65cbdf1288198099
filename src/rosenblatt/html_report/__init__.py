"""A table answered on one HTML page: the findings as data, then their words, pictures and page."""
