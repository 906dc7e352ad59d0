"""The machine below the table: how it is, what is kept of it, and what systemd is told."""
