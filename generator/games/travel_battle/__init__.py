"""The game Travel Battle, played with brigades on boards of squares that are joined side by side."""
