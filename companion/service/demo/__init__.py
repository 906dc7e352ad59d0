"""The demo: pretend players at the real service."""
