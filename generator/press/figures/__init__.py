"""Draw maps, cards and tokens as pictures."""
