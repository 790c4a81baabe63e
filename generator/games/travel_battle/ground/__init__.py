"""Boards of squares: drawn and random ones, campaigns of them, and what makes them lawful."""
