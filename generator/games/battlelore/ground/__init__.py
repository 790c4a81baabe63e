"""Boards: their hexes, drawn and random maps, the tiles a player owns, and what makes them lawful."""
