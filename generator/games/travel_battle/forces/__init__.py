"""Armies and how they are split into brigades."""
