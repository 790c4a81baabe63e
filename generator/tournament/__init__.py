"""Tournaments: pairings, packs for every table, results and standings; this package knows no particular game."""
