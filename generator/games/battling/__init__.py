"""The game Battling: duels of Armored Troopers in a town, on numbered hexes, which can be played by post."""
