"""Travel Battle: two boards of squares, brigades, guns.

Travel Battle: boards of squares laid side by side, brigades, and what guns can see.
"""
