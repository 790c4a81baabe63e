"""What all games share: what a game is, scenario files, the catalogue, fairness, pages of every kit."""
