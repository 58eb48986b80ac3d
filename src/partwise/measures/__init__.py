"""Every measure: short pure functions of a table, one file a family."""
