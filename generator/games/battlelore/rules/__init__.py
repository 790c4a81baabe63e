"""What is legal on every BattleLore board, derived from the scenario alone."""
