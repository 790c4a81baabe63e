"""Blind Faith: marches, intercepts, battle displays and sieges, with tables of the player's own or of the house."""
