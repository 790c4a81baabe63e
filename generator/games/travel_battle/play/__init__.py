"""What may happen on the field: movement, sight, fire, and the odds."""
