"""What is printed of BattleLore, for its expansions too."""
