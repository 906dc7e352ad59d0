"""The dice in a tray beside the board."""
