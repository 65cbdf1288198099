"""What comes in: data and parameters; whatever can be refused is refused here."""
