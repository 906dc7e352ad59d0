"""The pretend table: drawn frames, players who move, dice on a pseudo-terminal."""
