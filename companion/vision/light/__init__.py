"""The light on the board: its colour and course, shadows, veils, and what a lamp's image washes out."""
