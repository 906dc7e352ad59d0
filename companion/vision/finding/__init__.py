"""Where the board is in a picture: by its markers, its features, its outline, or where somebody has shown it."""
