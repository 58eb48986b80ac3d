"""Arrays by name, and the integer definitions that both sides of the seam use."""
