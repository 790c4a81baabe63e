"""Battling: duels of Armored Troopers on numbered hexes, among the buildings of a town, played in a blog."""
