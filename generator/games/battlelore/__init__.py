"""BattleLore: the boards, terrain, units and lines of sight of its family, and the game without deployment cards."""
