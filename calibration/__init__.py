"""What is done once per table: drawing the printable boards."""
