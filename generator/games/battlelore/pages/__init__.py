"""Printed pages of BattleLore, shared with its expansions."""
