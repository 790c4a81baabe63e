"""Finished prints: what they hold, and what a printer would complain of."""
