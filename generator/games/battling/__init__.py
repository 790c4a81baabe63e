"""Battling: duels of Armored Troopers among the buildings of a town."""
