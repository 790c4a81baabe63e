"""Code shared by all games: the type of a game, scenario files, the catalogue, fairness, common pages."""
