"""Tournaments: pairings, packs for every table, results and standings.

This package contains nothing about single games.
"""
