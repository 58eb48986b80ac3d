"""Every measure: short pure functions of a table, one folder a family."""
