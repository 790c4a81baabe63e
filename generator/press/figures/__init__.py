"""What is drawn on pages: maps, cards and tokens, as pictures."""
