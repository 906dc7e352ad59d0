"""The picture and the sheet: the camera's place over the board, the view straight down, and what both are made of."""
