"""What commands tell, as facts for machines and as lines for people."""
