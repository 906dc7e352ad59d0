"""What stands on the board: where pieces may stand, what each pixel says for them, and which explain most of it."""
