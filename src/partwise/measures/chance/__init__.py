"""What chance gives, and measures corrected for it."""
