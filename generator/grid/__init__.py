"""Cells and their arithmetic; knows no game."""
