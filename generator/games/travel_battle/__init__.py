"""Travel Battle: boards of squares laid side by side, brigades, and what guns can see."""
