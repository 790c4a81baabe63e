"""Cells of a field and their arithmetic, for every game."""
