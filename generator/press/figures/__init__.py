"""Maps, cards and tokens as pictures."""
