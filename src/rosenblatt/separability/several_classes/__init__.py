"""Several classes, decided jointly."""
