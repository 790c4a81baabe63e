"""Call to Arms, a BattleLore game in which armies are set up with deployment cards."""
