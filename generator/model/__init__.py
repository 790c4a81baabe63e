"""Frozen types that every room of the house shares; they know no game."""
