"""Frozen types that all packages share, independent of any game."""
