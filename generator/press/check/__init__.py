"""Checks of finished prints: their content, ink and print problems."""
