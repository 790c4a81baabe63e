"""Cells of a field and arithmetic with them, for all games."""
