"""Battling: duels of Armored Troopers on numbered hexes between the buildings of a town, played by posts."""
