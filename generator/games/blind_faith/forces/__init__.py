"""Packs: classes of units and the tables they fight by."""
