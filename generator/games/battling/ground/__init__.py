"""Arenas: drawn and random ones, and what makes a good one."""
