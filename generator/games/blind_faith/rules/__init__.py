"""What is legal, derived from the scenario alone."""
