"""What was seen against what was allowed."""
