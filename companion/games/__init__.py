"""The law: what is legal, and why not."""
