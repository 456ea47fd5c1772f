"""Trees from tables that do not fit in memory."""
