"""Blind Faith: marches, interceptions, battles and sieges of the Hussite wars.

Blind Faith: marches, intercepts, battle displays and sieges, with tables of the player's own or of the house.
"""
