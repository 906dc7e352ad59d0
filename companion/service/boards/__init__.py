"""Boards: the one that is meant, those of one's own, where they lie, and whether the camera sees them."""
