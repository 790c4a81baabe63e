"""BattleLore by itself: a house order of battle in place of deployment cards."""
