"""Seed codes, and the random streams that spring from them; knows no game."""
