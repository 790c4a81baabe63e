"""Rules, and the check that holds a scenario against them."""
