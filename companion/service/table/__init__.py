"""The table at play: what is seen, heard and asked for; what is ruled of it; what players see."""
