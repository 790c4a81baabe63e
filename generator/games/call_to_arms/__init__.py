"""Call to Arms: armies raised with deployment cards on a BattleLore board."""
