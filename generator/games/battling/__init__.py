"""Battling: duels of machines on numbered hexes, played in a blog.

Battling: duels of Armored Troopers among the buildings of a town.
"""
