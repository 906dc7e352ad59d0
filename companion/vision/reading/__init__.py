"""What is read of each space, and how far that is to be doubted."""
