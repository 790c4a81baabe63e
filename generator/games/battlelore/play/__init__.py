"""What may happen on the board: movement, sight, fire, and the odds of an attack."""
