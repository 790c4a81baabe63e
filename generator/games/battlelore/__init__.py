"""BattleLore without deployment cards, and the boards, units and lines of sight that its expansions share."""
