"""Call to Arms: BattleLore armies set up with deployment cards."""
