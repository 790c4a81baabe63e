"""Call to Arms: BattleLore armies raised with deployment cards."""
