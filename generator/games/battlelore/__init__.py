"""BattleLore: its boards, terrain, units and sight, which its expansions build on; and the game without cards."""
