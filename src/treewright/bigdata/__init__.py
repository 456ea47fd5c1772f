"""Trees from tables that do not fit in memory."""

__all__: list[str] = []
