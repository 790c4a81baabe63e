"""Frozen types that all packages share and that do not depend on any game."""
